import type { Language, Translation } from '@garba/shared/messages/language'
import { addCatalogue, useLanguage } from '../../platform/language.ts'
import type * as movement from '../texts/en/movement.ts'
import type * as phone from '../texts/en/phone.ts'
import type * as scanner from '../texts/en/scanner.ts'
import type * as sell from '../texts/en/sell.ts'

/** What gu.ts and hi.ts must have: a text that is missing, or takes other values than the English one, does not compile. */
export type ScannerTexts = Translation<typeof scanner & typeof movement & typeof phone & typeof sell>

const LOADERS = {
  gu: async () => (await import('../texts/gu.ts')).gu,
  hi: async () => (await import('../texts/hi.ts')).hi,
} as const satisfies Record<Exclude<Language, 'en'>, () => Promise<ScannerTexts>>

const loaded: Partial<Record<Language, ScannerTexts>> = {}

/** Without its file a language shows English until the next visit. */
addCatalogue(async (language) => {
  if (language === 'en' || loaded[language]) return
  try {
    loaded[language] = await LOADERS[language]()
  } catch (error) {
    console.warn(`The words of ${language} could not be fetched`, error)
  }
})

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function buildView(english: object, findTranslated: () => object | undefined): object {
  const view = {}
  for (const [key, text] of Object.entries(english)) {
    const find = (): unknown => Reflect.get(findTranslated() ?? english, key)
    const group = isGroup(text) && buildView(text, () => find() as object)
    Object.defineProperty(view, key, { enumerable: true, ...(group ? { value: group } : { get: find }) })
  }
  return view
}

/** The texts in the language of this moment, whenever one is read. A text kept in a constant would stay as it was. */
export const viewTexts = <Source extends object>(english: Source): Translation<Source> =>
  buildView(english, () => loaded[useLanguage.getState().language]) as Translation<Source>
