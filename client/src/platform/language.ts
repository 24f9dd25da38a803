import { isLanguage, type Language } from '@garba/shared/messages/language'
import { create } from 'zustand'
import { local } from './store/local.ts'

const KEY = 'garba.language'
const stored = local.read(KEY)

/** The language of the guest side, remembered per device. */
export const useLanguage = create<{ language: Language }>(() => ({ language: isLanguage(stored) ? stored : 'en' }))

export function setLanguage(language: Language): void {
  local.write(KEY, language)
  useLanguage.setState({ language })
}
