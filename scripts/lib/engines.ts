import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const ENGINE_NAMES = {
  firefox: 'Firefox',
  webkit: 'WebKit',
  caddy: 'Chromium through Caddy',
  proxies: 'nginx, Apache, HAProxy and Varnish',
  identity: "Firebase's Auth emulator",
  openapi: 'generators of API clients',
} as const
export type EngineName = keyof typeof ENGINE_NAMES
export type DrivenEngine = Exclude<EngineName, 'caddy' | 'proxies' | 'identity' | 'openapi'>

function installed(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
}

export const findFirefox = () => installed('firefox-esr', 'firefox')
export const findWebKitDriver = () => installed('WebKitWebDriver')
export const findXvfb = () => installed('Xvfb')
export const findCaddy = () => installed('caddy')
const PROXY_PROGRAMS = { nginx: 'nginx', apache: 'apache2', haproxy: 'haproxy', varnish: 'varnishd' } as const
/** Debian keeps them where only root looks. */
export const findProxy = (name: keyof typeof PROXY_PROGRAMS) =>
  installed(PROXY_PROGRAMS[name]) ?? [`/usr/sbin/${PROXY_PROGRAMS[name]}`].find(existsSync)

const NEEDS: Readonly<Record<EngineName, Readonly<Record<string, () => string | undefined>>>> = {
  firefox: { 'firefox-esr': findFirefox },
  webkit: { 'webkit2gtk-driver': findWebKitDriver, xvfb: findXvfb },
  caddy: { caddy: findCaddy },
  proxies: {
    'nginx-light': () => findProxy('nginx'),
    apache2: () => findProxy('apache'),
    haproxy: () => findProxy('haproxy'),
    varnish: () => findProxy('varnish'),
    openssl: () => installed('openssl'),
  },
  identity: {},
  openapi: {},
}

export const missingFor = (engines: readonly EngineName[]): string[] =>
  engines.flatMap((engine) => Object.entries(NEEDS[engine]).flatMap(([name, find]) => (find() ? [] : [name])))
