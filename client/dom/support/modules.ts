import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { moduleRunnerTransform } from 'rolldown/experimental'
import { CLIENT_DIST } from '../../../scripts/lib/client.ts'
import type { Network } from './network.ts'

type Exports = Record<string, unknown>
/** A module's code as a function that each page calls for itself. */
interface Code {
  script: vm.Script
  imports: string[]
}
interface Module {
  url: string
  code: Code
  exports: Exports
  /** Once it has begun to run. */
  running?: Promise<Exports>
}

/** What is on the disk is compiled once for all pages of a worker: V8 shares a script's code, and not a module's. */
const compiled = new Map<string, Promise<Code>>()

function codeOf(path: string): Promise<Code> {
  const known = compiled.get(path) ?? compile(path, readFileSync(join(CLIENT_DIST, path), 'utf8'))
  compiled.set(path, known)
  return known
}

const PARAMETERS = ['exports', 'import_meta', 'import', 'dynamic_import', 'exportAll'].map(
  (name) => `__vite_ssr_${name}__`,
)

/** Imports become calls and reads of what was exported, as in Vite's own module runner. */
async function compile(filename: string, source: string): Promise<Code> {
  const { code, deps, errors } = await moduleRunnerTransform(filename, source)
  if (errors.length > 0) throw new SyntaxError(`${filename}: ${errors[0]?.message}`)
  const script = new vm.Script(`(async (${PARAMETERS}) => { 'use strict'; ${code}\n})`, { filename })
  return { script, imports: deps }
}

/**
 * The modules of one page: those of the production build, run in the page's own window and evaluated again for each load.
 * They come from disk, as from a worker's cache, unless a route of the test intercepts them.
 */
export class Modules {
  private readonly modules = new Map<string, Promise<Module>>()
  private readonly context: vm.Context
  private readonly network: Network

  constructor(options: { context: vm.Context; network: Network }) {
    this.context = options.context
    this.network = options.network
  }

  /** Resolves when the module and all that it imports have run. */
  async run(url: string): Promise<Exports> {
    const graph = new Map<string, Module>()
    await this.gather(url, graph)
    return this.evaluate(url, graph)
  }

  private async gather(url: string, graph: Map<string, Module>): Promise<void> {
    const module = await this.load(url)
    if (graph.has(url)) return
    graph.set(url, module)
    await Promise.all(module.code.imports.map((specifier) => this.gather(new URL(specifier, url).href, graph)))
  }

  private evaluate(url: string, graph: ReadonlyMap<string, Module>, above: readonly string[] = []): Promise<Exports> {
    const module = graph.get(url)
    if (module === undefined) throw new Error(`${url} was not loaded`)
    module.running ??= this.begin(module, graph, [...above, url])
    // What imports itself through others gets what is there so far.
    return above.includes(url) ? Promise.resolve(module.exports) : module.running
  }

  private async begin({ url, code, exports }: Module, graph: ReadonlyMap<string, Module>, above: readonly string[]) {
    const body = code.script.runInContext(this.context) as (...all: unknown[]) => Promise<void>
    await body(
      exports,
      { url },
      (specifier: string) => this.evaluate(new URL(specifier, url).href, graph, above),
      (specifier: string) => this.run(new URL(specifier, url).href),
      (all: Exports) => Object.defineProperties(exports, Object.getOwnPropertyDescriptors(all)),
    )
    return exports
  }

  private load(url: string): Promise<Module> {
    const known = this.modules.get(url) ?? this.make(url)
    this.modules.set(url, known)
    // As in a browser, the next try asks again.
    known.catch(() => this.modules.delete(url))
    return known
  }

  private async make(url: string): Promise<Module> {
    this.network.asked.push(url)
    const { pathname } = new URL(url)
    const code = this.network.isRouted(url) ? await compile(pathname, await this.ask(url)) : await codeOf(pathname)
    return { url, code, exports: {} }
  }

  private async ask(url: string): Promise<string> {
    const answer = await this.network.ask(new Request(url))
    if (!answer.ok) throw new TypeError(`Failed to fetch dynamically imported module: ${url}`)
    return answer.text()
  }
}
