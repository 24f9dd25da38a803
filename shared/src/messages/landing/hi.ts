import { formatCount, type Translation } from '../language.ts'
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
    noScript: 'टिकट खरीदने के लिए JavaScript ज़रूरी है। कृपया इसे अपने ब्राउज़र में चालू करें।',
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
  demoNote: 'यह एक डेमो है: कोई भुगतान नहीं लिया जाता और कोई टिकट असली नहीं है।',
  close: 'बंद करें',
  signInFailure: {
    failed: 'साइन इन नहीं हो सका। कृपया फिर कोशिश करें।',
    cancelled: 'साइन इन रद्द हुआ।',
    popupBlocked: 'पॉप-अप रोक दिया गया। कृपया इस साइट के लिए पॉप-अप की अनुमति दें।',
    occurred: 'पहचान जाँचने में गड़बड़ी हुई।',
    bannerTitle: 'साइन इन में गड़बड़ी',
    button: {
      cancelled: 'साइन इन रद्द हुआ। कृपया फिर कोशिश करें।',
      popupBlocked: 'पॉप-अप रोक दिया गया। अनुमति देकर फिर कोशिश करें।',
      network: 'नेटवर्क में गड़बड़ी। कृपया अपना कनेक्शन जाँचें।',
      tooManyAttempts: 'बहुत बार कोशिश हुई। थोड़ा रुककर फिर कोशिश करें।',
      failed: 'पहचान की पुष्टि नहीं हो सकी। कृपया फिर कोशिश करें।',
    },
    refused: {
      emailUnverified: 'आपका ईमेल पता सत्यापित नहीं है। Google पर उसे सत्यापित करें, फिर दोबारा साइन इन करें।',
      notGoogle: 'कृपया Google खाते से साइन इन करें।',
    },
  },
  screens: {
    loadingDashboard: 'डैशबोर्ड लोड हो रहा है...',
    redirecting: 'आपको आगे ले जाया जा रहा है...',
    crash: {
      title: 'ओह! कुछ गड़बड़ हो गई',
      detail: 'यह पेज ऐसी गड़बड़ी में अटक गया जिससे आगे नहीं बढ़ सका। इसकी सूचना भेज दी गई है।',
      action: 'पेज फिर लोड करें',
    },
    invalidRole: {
      title: 'अमान्य भूमिका',
      detail: 'आपके अकाउंट की भूमिका पहचानी नहीं गई। कृपया सहायता से संपर्क करें।',
      action: 'होम पर जाएँ',
    },
    notFound: {
      title: 'यह पेज नहीं मिला',
      detail: 'इस पते पर कुछ नहीं है। हो सकता है वह कहीं और चला गया हो, या लिंक अधूरा हो।',
      action: 'होम पर जाएँ',
    },
    signInHere: { title: 'मेरे टिकट', detail: 'अपने टिकट देखने के लिए साइन इन करें।' },
    sessionLost: {
      title: 'आपका सत्र समाप्त हो गया है',
      text: 'आप साइन आउट हो गए हैं। कृपया फिर से साइन इन करें।',
    },
    unsentScans: {
      title: (n: number) => `इस फ़ोन के ${formatCount(n)} स्कैन अभी नहीं भेजे गए हैं`,
      text: 'वे यहीं सुरक्षित हैं और किसी चेकर के इस फ़ोन पर साइन इन करने पर भेजे जाएँगे।',
    },
    update: { ready: 'नया वर्ज़न तैयार है।', action: 'अभी अपडेट करें' },
  },
} as const satisfies Translation<typeof en>
