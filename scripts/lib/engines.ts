import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const ENGINE_NAMES = { firefox: 'Firefox', webkit: 'WebKit', caddy: 'Chromium through Caddy' } as const
export type EngineName = keyof typeof ENGINE_NAMES
/** The engines that Playwright does not drive. */
export type DrivenEngine = Exclude<EngineName, 'caddy'>

/** The path of the first of these programs that is installed. */
function installed(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
}

export const findFirefox = () => installed('firefox-esr', 'firefox')
export const findWebKitDriver = () => installed('WebKitWebDriver')
export const findXvfb = () => installed('Xvfb')
export const findCaddy = () => installed('caddy')

/** The Debian packages that each engine needs, each with a function that finds its program. */
const NEEDS: Readonly<Record<EngineName, Readonly<Record<string, () => string | undefined>>>> = {
  firefox: { 'firefox-esr': findFirefox },
  webkit: { 'webkit2gtk-driver': findWebKitDriver, xvfb: findXvfb },
  caddy: { caddy: findCaddy },
}

/** Debian's packages that are missing for these engines. */
export const missingFor = (engines: readonly EngineName[]): string[] =>
  engines.flatMap((engine) => Object.entries(NEEDS[engine]).flatMap(([name, find]) => (find() ? [] : [name])))
