// For --import: programs start in a third of the time. Plain JavaScript for whatever Node a tool starts with our NODE_OPTIONS.
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'

// Keeps compiled code, and our TypeScript without its types, from one start to the next.
modules.enableCompileCache?.(fileURLToPath(new URL('../../.cache/node', import.meta.url)))

// For each file of a package Node parses the package's whole list of exports, which has 200 KB in this one.
modules.registerHooks?.({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes('/node_modules/drizzle-orm/')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
