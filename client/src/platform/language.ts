import { PAGE_COOKIES } from '@garba/shared/contracts/site/pageData'
import { isLanguage, type Language } from '@garba/shared/messages/language'
import { create } from 'zustand'
import { pageData } from './page.ts'
import { local } from './store/local.ts'

const KEY = 'garba.language'
const YEAR_SECONDS = 31_536_000

const orEnglish = (text: unknown): Language => (isLanguage(text) ? text : 'en')
const stored = orEnglish(local.read(KEY))

/** The language of the guest side, remembered per device. */
export const useLanguage = create<{ language: Language }>(() => ({
  // A getter, because the server renders many pages with one store.
  get language() {
    const page = pageData()
    return page ? orEnglish(page.language) : stored
  },
}))

/** The language kept on this device. With cookies off, the server may have rendered another. */
export const keptLanguage = (): Language => stored

export function setLanguage(language: Language): void {
  local.write(KEY, language)
  // The server renders the next page in this language.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
  document.cookie = `${PAGE_COOKIES.language}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`
  useLanguage.setState({ language })
}
