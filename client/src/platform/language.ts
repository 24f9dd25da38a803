import { PAGE_COOKIES } from '@garba/shared/contracts/site/pages'
import { isLanguage, type Language, type Translation } from '@garba/shared/messages/language'
import { use } from 'react'
import { create } from 'zustand'
import { pageData } from './pageData.ts'
import { local } from './store/local.ts'

const KEY = 'garba.language'
const YEAR_SECONDS = 31_536_000

const orEnglish = (text: unknown): Language => (isLanguage(text) ? text : 'en')
const stored = orEnglish(local.read(KEY))

export const useLanguage = create<{ language: Language }>(() => ({
  // A getter, because the server renders many pages with one store.
  get language() {
    const page = pageData()
    return page ? orEnglish(page.language) : stored
  },
}))

/** The language kept on this device. With cookies off, the server may have rendered another. */
export const keptLanguage = (): Language => stored

type Foreign = Exclude<Language, 'en'>
type Loaders<Words> = Readonly<Record<Foreign, () => Promise<Words>>>

const catalogues = new Set<(language: Language) => Promise<unknown>>()

/** For texts that are read outside React too: a switch of the language waits until `load` has them. */
export const addCatalogue = (load: (language: Language) => Promise<unknown>): void => void catalogues.add(load)

/** React reads a promise with these two fields at once, without suspending. */
const fulfilled = <Words>(promise: Promise<Words>, value: Words) =>
  Object.assign(promise, { status: 'fulfilled', value })

/**
 * A catalogue of texts: English in the bundle, every other language fetched when chosen. Returns a hook for the chosen
 * language's texts, which suspends while a language stored on the device is loading at the start. A language that cannot be
 * fetched falls back to English until the next visit.
 */
export function makeWords<Source>(english: Translation<Source>, loaders: Loaders<Translation<Source>>) {
  type Words = Translation<Source>
  const loaded = new Map<Language, Promise<Words>>([['en', fulfilled(Promise.resolve(english), english)]])

  const load = (language: Language): Promise<Words> => {
    const known = loaded.get(language)
    if (known || language === 'en') return known ?? Promise.resolve(english)
    const loading = loaders[language]().catch((error: unknown) => {
      console.warn(`The words of ${language} could not be fetched`, error)
      return english
    })
    void loading.then((words) => fulfilled(loading, words))
    loaded.set(language, loading)
    return loading
  }
  catalogues.add(load)
  return (): Words => use(load(useLanguage((store) => store.language)))
}

export async function loadWords(language: Language): Promise<void> {
  await Promise.all([...catalogues].map((load) => load(language)))
}

let wanted: Language

export async function switchLanguage(language: Language): Promise<void> {
  wanted = language
  await loadWords(language)
  if (wanted !== language) return
  local.write(KEY, language)
  // The server renders the next page in this language.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
  document.cookie = `${PAGE_COOKIES.language}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`
  useLanguage.setState({ language })
}
