import type { Translation } from '@garba/shared/messages/language'
import type { en } from './en.ts'

export const gu = {
  turnOn: { phone: 'મને આ ફોન પર જણાવો', computer: 'મને આ કમ્પ્યુટર પર જણાવો' },
  about: 'કાર્યક્રમ બદલાય, મોડી ચુકવણી મળે કે પ્રવેશ શરૂ થાય ત્યારે.',
  on: 'સૂચનાઓ ચાલુ છે.',
  turnOff: 'બંધ કરો',
  blocked: 'આ બ્રાઉઝરના સેટિંગમાં સૂચનાઓ અવરોધિત છે.',
  failed: 'આ બ્રાઉઝર સૂચનાઓ ચાલુ કરી શક્યું નહીં. કૃપા કરીને ફરી પ્રયાસ કરો.',
} as const satisfies Translation<typeof en>
