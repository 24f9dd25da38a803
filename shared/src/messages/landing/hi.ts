import type { Translation } from '../language.ts'
import type { en } from './en.ts'

export const hi = {
  header: {
    skipToContent: 'सीधे मुख्य भाग पर जाएँ',
    language: 'भाषा',
    loading: 'लोड हो रहा है...',
    signIn: 'Google से साइन इन करें',
    signingIn: 'साइन इन हो रहा है...',
    book: 'टिकट बुक करें',
    menu: (name: string) => `${name} का अकाउंट मेन्यू`,
    dashboard: 'डैशबोर्ड',
    myTickets: 'मेरे टिकट',
    qrScanner: 'QR स्कैनर',
    manageUsers: 'उपयोगकर्ता प्रबंधन',
    signOut: 'साइन आउट',
    signingOut: 'साइन आउट हो रहा है...',
    roles: { guest: 'मेहमान', admin: 'एडमिन', manager: 'मैनेजर', qrchecker: 'QR चेकर' },
  },
  splash: { skip: 'आगे बढ़ें' },
  hero: {
    subtitle: 'नवरात्रि से पहले का भव्य उत्सव',
    date: 'तारीख',
    time: 'समय',
    venue: 'स्थान',
    price: 'कीमत',
    perTicket: 'प्रति टिकट',
    groupNote: 'ग्रुप के लिए विशेष छूट',
    book: 'अभी टिकट बुक करें',
    soldOut: 'सभी टिकट बिक गए!',
  },
  fallback: {
    date: '7 सितंबर',
    time: 'शाम 6:30 से 10:30',
    venue: 'स्थान की घोषणा जल्द होगी',
    description:
      'नवरात्रि से पहले गरबा और रास की एक शाम। अपने रंगों में सजिए, डांडिया साथ लाइए और आख़िरी ताली तक हमारे साथ दीप के चारों ओर झूमिए।',
  },
  shortDate: (day: string, month: string) => `${day} ${month}`,
  timeRange: (from: string, to: string) => `${from} से ${to}`,
  more: { failed: 'पेज का बाकी हिस्सा लोड नहीं हो सका।', retry: 'फिर कोशिश करें', loading: 'पेज का बाकी हिस्सा लोड हो रहा है' },
} as const satisfies Translation<typeof en>
