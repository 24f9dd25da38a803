import { LANGUAGE_NAMES, LANGUAGES } from '@garba/shared/messages/language'
import { Languages } from 'lucide-react'
import { MenuItem } from '../../../kit/Menu.tsx'
import { Segments } from '../../../kit/Segments.tsx'
import { switchLanguage, useLanguage } from '../../../platform/language.ts'
import { SHIFT } from '../../texts/phone.ts'

export const LanguageChoice = () => {
  const language = useLanguage((store) => store.language)
  return (
    <Segments
      label={SHIFT.language}
      value={language}
      options={LANGUAGES.map((value) => ({ value, label: <span lang={value}>{LANGUAGE_NAMES[value]}</span> }))}
      onChange={(next) => void switchLanguage(next)}
    />
  )
}

export const LanguageItems = () => {
  const language = useLanguage((store) => store.language)
  return LANGUAGES.filter((other) => other !== language).map((other) => (
    <MenuItem key={other} icon={<Languages />} onSelect={() => void switchLanguage(other)}>
      <span lang={other}>{LANGUAGE_NAMES[other]}</span>
    </MenuItem>
  ))
}
