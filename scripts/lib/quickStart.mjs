// Loaded with --import, it makes programs start several times as fast. Plain JavaScript, because tools may run any Node.
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'

// The cache keeps compiled code, and our TypeScript without its types, for the next start.
modules.enableCompileCache?.(fileURLToPath(new URL('../../.cache/node', import.meta.url)))

const OURS = new URL('../../', import.meta.url).href
/** Packages of many files, all of them modules. */
const OF_MANY_FILES = /\/node_modules\/(drizzle-orm|zod|jose|hono|@noble)\//
const found = new Map()

// For each import Node looks at the file, the folders above it and its package's whole list of exports (200 KB in one).
// A relative path already names the file, and a package's name leads to the same file from everywhere in a workspace.
modules.registerHooks?.({
  resolve: (specifier, context, next) => {
    const { parentURL: parent = '', conditions } = context
    if (!conditions.includes('import') || !parent.startsWith('file:') || specifier.startsWith('node:'))
      return next(specifier, context)
    const inPackage = parent.includes('/node_modules/')
    if (specifier.startsWith('.')) {
      const format = inPackage
        ? specifier.endsWith('.js') && OF_MANY_FILES.test(parent) && 'module'
        : specifier.endsWith('.ts') && 'module-typescript'
      return format ? { url: new URL(specifier, parent).href, format, shortCircuit: true } : next(specifier, context)
    }
    if (inPackage || !parent.startsWith(OURS)) return next(specifier, context)
    const key = `${parent.slice(OURS.length, parent.indexOf('/', OURS.length))} ${specifier}`
    const { url, format } = found.get(key) ?? next(specifier, context)
    found.set(key, { url, format })
    return { url, format, shortCircuit: true }
  },
})
