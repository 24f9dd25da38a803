import type { Translation } from '@garba/shared/messages/language'
import type { en } from './en.ts'

export const hi = {
  turnOn: { phone: 'मुझे इस फ़ोन पर बताएँ', computer: 'मुझे इस कंप्यूटर पर बताएँ' },
  about: 'कार्यक्रम बदलने, देर से भुगतान मिलने या प्रवेश शुरू होने पर।',
  on: 'सूचनाएँ चालू हैं।',
  turnOff: 'बंद करें',
  blocked: 'इस ब्राउज़र की सेटिंग में सूचनाएँ ब्लॉक हैं।',
  failed: 'यह ब्राउज़र सूचनाएँ चालू नहीं कर सका। कृपया फिर कोशिश करें।',
} as const satisfies Translation<typeof en>
