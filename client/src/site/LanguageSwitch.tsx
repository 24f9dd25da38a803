import { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from '@garba/shared/messages/language'
import { Languages } from 'lucide-react'
import { useLanguage } from '../platform/language.ts'
import { switchLanguage } from '../platform/words.ts'
import styles from './LanguageSwitch.module.css'
import { useWords } from './words.ts'

/** What stands in the header: each language's own short sign. */
const SIGN: Readonly<Record<Language, string>> = { en: 'EN', gu: 'ગુ', hi: 'हि' }

/** The browser's own select under a drawn face: no code, and phones open their native wheel. */
export const LanguageSwitch = () => {
  const { header } = useWords()
  const language = useLanguage((store) => store.language)
  return (
    <label className={styles.switch}>
      <Languages aria-hidden="true" />
      <span aria-hidden="true" lang={language}>
        {SIGN[language]}
      </span>
      <select
        aria-label={header.language}
        className={styles.select}
        value={language}
        onChange={({ target }) => {
          if (isLanguage(target.value)) void switchLanguage(target.value)
        }}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
