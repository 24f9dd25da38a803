import type { Language, Translation } from '@garba/shared/messages/language'
import { use } from 'react'
import { setLanguage, useLanguage } from './language.ts'

type Foreign = Exclude<Language, 'en'>
type Loaders<Words> = Readonly<Record<Foreign, () => Promise<Words>>>

const catalogues = new Set<(language: Language) => Promise<unknown>>()

/** React reads a promise with these two fields at once, without suspending for a moment. */
const fulfilled = <Words>(promise: Promise<Words>, value: Words) =>
  Object.assign(promise, { status: 'fulfilled', value })

/**
 * A catalogue of words: English in the bundle, each other language fetched when it is chosen. Returns the hook that gives
 * the words of the chosen language; it suspends while a language stored on the device is on its way at the start. A
 * language that cannot be fetched is told in English until the next visit.
 */
export function makeWords<Source>(english: Translation<Source>, loaders: Loaders<Translation<Source>>) {
  type Words = Translation<Source>
  const told = new Map<Language, Promise<Words>>([['en', fulfilled(Promise.resolve(english), english)]])

  const load = (language: Language): Promise<Words> => {
    const known = told.get(language)
    if (known || language === 'en') return known ?? Promise.resolve(english)
    const asked = loaders[language]().catch((error: unknown) => {
      console.warn(`The words of ${language} could not be fetched`, error)
      return english
    })
    void asked.then((words) => fulfilled(asked, words))
    told.set(language, asked)
    return asked
  }
  catalogues.add(load)
  return (): Words => use(load(useLanguage((store) => store.language)))
}

/** Fetches the words of a language that this page needs at once. */
export async function loadWords(language: Language): Promise<void> {
  await Promise.all([...catalogues].map((load) => load(language)))
}

/** Speaks another language from now on, remembered on this device; its words are fetched first, so nothing flickers. */
export async function switchLanguage(language: Language): Promise<void> {
  await loadWords(language)
  setLanguage(language)
}
