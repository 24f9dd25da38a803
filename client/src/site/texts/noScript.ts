import type { Language } from '@garba/shared/messages/language'

/** Only the server renders it, so browsers do not load it. */
export const NO_SCRIPT: Readonly<Record<Language, string>> = {
  en: 'Buying tickets needs JavaScript. Please turn it on in your browser.',
  gu: 'ટિકિટ ખરીદવા માટે JavaScript જરૂરી છે. કૃપા કરીને તમારા બ્રાઉઝરમાં ચાલુ કરો.',
  hi: 'टिकट ख़रीदने के लिए JavaScript ज़रूरी है। कृपया इसे अपने ब्राउज़र में चालू करें।',
}
