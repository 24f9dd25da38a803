import type { Config } from '@garba/shared/contracts/site/site'
import { create } from 'zustand'
import { callServer } from './http/call.ts'
import { pageData } from './pageData.ts'
import { local } from './store/local.ts'

const KEY = 'garba.config'

const stored = local.readJson<Config>(KEY)

/** Run-time settings (GET /config). Starts from the stored copy if there is one, so that every shell starts offline. */
export const useConfig = create<{ config: Config | null }>(() => ({
  // A getter, because the server renders many pages with one store.
  get config() {
    return pageData()?.config ?? stored
  },
}))

let request: Promise<Config> | null = null

function ask(options: { retries?: number } = {}): Promise<Config> {
  request ??= callServer('config', options).then(
    ({ success: _, ...config }) => {
      useConfig.setState({ config })
      local.writeJson(KEY, config)
      return config
    },
    (error: unknown) => {
      request = null
      throw error
    },
  )
  return request
}

/** The settings: the stored ones if there are any (refreshed in the background), else the server's. Throws ApiFailure. */
export async function getConfig(): Promise<Config> {
  const { config } = useConfig.getState()
  if (config === null) return ask()
  ask().catch((error: unknown) => console.info('Settings not refreshed', error))
  return config
}

/** Fetches the settings again, once, after an answer showed that they have changed. Throws ApiFailure. */
export function refreshConfig(): Promise<Config> {
  request = null
  return ask({ retries: 0 })
}

declare global {
  interface ImportMetaEnv {
    readonly APP_VERSION?: string
  }
}

/** The version of this page's build, such as "1.0.0+4f9c2ab"; the server that serves it has the same. */
export const APP_VERSION: string = import.meta.env.APP_VERSION ?? ''

/** Whether people can sign in by a link in a mail. */
export const useByMail = (): boolean => useConfig(({ config }) => config?.signIn.includes('email') ?? false)
