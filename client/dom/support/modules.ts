import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { CLIENT_DIST } from '../../../scripts/lib/client.ts'
import type { Network } from './network.ts'

/** What is on the disk stays compiled for all pages of a worker. */
const files = new Map<string, { code: string; compiled?: Buffer }>()

function fileOf(path: string) {
  const known = files.get(path) ?? { code: readFileSync(join(CLIENT_DIST, path), 'utf8') }
  files.set(path, known)
  return known
}

/**
 * The modules of one page: those of the production build, run in the page's own window and evaluated again for each load.
 * They come from disk, as from a worker's cache, unless a route of the test intercepts them.
 */
export class Modules {
  private readonly modules = new Map<string, Promise<vm.SourceTextModule>>()
  private readonly context: vm.Context
  private readonly network: Network
  /** Graphs that share modules must not be linked at the same time. */
  private linking: Promise<unknown> = Promise.resolve()

  constructor(options: { context: vm.Context; network: Network }) {
    this.context = options.context
    this.network = options.network
  }

  /** Resolves when the module and all that it imports have run. */
  async run(url: string): Promise<vm.SourceTextModule> {
    const linked = this.linking.then(() => this.link(url))
    this.linking = linked.catch(() => undefined)
    const module = await linked
    await module.evaluate()
    return module
  }

  private async link(url: string): Promise<vm.SourceTextModule> {
    try {
      const module = await this.load(url)
      if (module.status === 'unlinked')
        await module.link((specifier, from) => this.load(new URL(specifier, from.identifier).href))
      return module
    } catch (error) {
      // As in a browser, the next try asks again.
      this.modules.delete(url)
      throw error
    }
  }

  private load(url: string): Promise<vm.SourceTextModule> {
    const known = this.modules.get(url) ?? this.make(url)
    this.modules.set(url, known)
    return known
  }

  private async make(url: string): Promise<vm.SourceTextModule> {
    this.network.asked.push(url)
    const file = this.network.isRouted(url) ? { code: await this.ask(url) } : fileOf(new URL(url).pathname)
    const module = new vm.SourceTextModule(file.code, {
      identifier: url,
      context: this.context,
      ...('compiled' in file && file.compiled ? { cachedData: file.compiled } : {}),
      initializeImportMeta: (meta) => {
        meta.url = url
      },
      importModuleDynamically: (specifier) => this.run(new URL(specifier, url).href),
    })
    if (!('compiled' in file)) Object.assign(file, { compiled: compiledOf(module) })
    return module
  }

  private async ask(url: string): Promise<string> {
    const answer = await this.network.ask(new Request(url))
    if (!answer.ok) throw new TypeError(`Failed to fetch dynamically imported module: ${url}`)
    return answer.text()
  }
}

// Missing in Node's types.
const compiledOf = (module: vm.SourceTextModule) =>
  (module as vm.SourceTextModule & { createCachedData(): Buffer }).createCachedData()
