import { CANCELLATION_CUTOFF_DAYS, GROUP_TIER_FROM } from '@garba/shared/constants'
import type { Translation } from '@garba/shared/messages/language'
import { POLICY_FACTS as FACT } from '@garba/shared/messages/policies'
import type { en } from './en.ts'

export const hi = {
  about: { title: 'इस शाम के बारे में', line: 'सज-धजकर आइए', picture: 'कार्यक्रम का चित्र', noPicture: 'चित्र उपलब्ध नहीं है' },
  details: {
    title: 'कार्यक्रम का विवरण',
    line: 'डांडिया थाम लीजिए',
    single: `1 से ${GROUP_TIER_FROM - 1} टिकट`,
    group: `${GROUP_TIER_FROM} या अधिक टिकट`,
    each: 'प्रत्येक',
    availability: 'टिकट',
    remaining: (count: string) => `${count} टिकट बाकी`,
    saving: (rupees: string) => `हर टिकट पर ${rupees} की बचत।`,
  },
  choice: {
    title: 'कितने टिकट चाहिए?',
    less: 'एक टिकट कम',
    more: 'एक टिकट और',
    total: (rupees: string) => `कुल ${rupees}`,
    saving: (rupees: string) => `आपकी बचत ${rupees}`,
    group: (n: number, total: string, saving: string) => `${n} टिकट ${total} में, ${saving} की बचत`,
  },
  countdown: {
    title: 'दीप जलने में बाकी',
    days: () => 'दिन',
    hours: (n: number) => (n === 1 ? 'घंटा' : 'घंटे'),
    minutes: () => 'मिनट',
    seconds: () => 'सेकंड',
    unknown: 'तारीख की घोषणा होते ही यहाँ उलटी गिनती शुरू होगी।',
    lit: 'दीप जल चुका है।',
  },
  features: { title: 'क्या-क्या है ख़ास', line: 'ढोल की ताल पर झूमिए' },
  venue: { title: 'यहाँ पहुँचें', line: 'घेरे में शामिल हो जाइए', openMaps: 'नक्शे में खोलें' },
  faq: {
    title: 'सवाल और जवाब',
    items: [
      {
        question: 'मुझे टिकट कैसे मिलेंगे?',
        answer:
          '"अभी टिकट बुक करें" दबाइए, अपने Google खाते से साइन इन कीजिए और चुनिए कि कितने टिकट चाहिए। QR कोड वाले टिकट तुरंत "मेरे टिकट" में दिखेंगे।',
      },
      {
        question: 'क्या ग्रुप के लिए अलग दाम है?',
        answer: `हाँ। एक साथ ${GROUP_TIER_FROM} या अधिक टिकट लेने पर हर टिकट पर ग्रुप का दाम लगता है।`,
      },
      {
        question: 'गेट पर क्या दिखाना होगा?',
        answer:
          'अपने टिकट का QR कोड, फ़ोन पर या काग़ज़ पर छपा हुआ। हर टिकट पर एक व्यक्ति को एक ही बार प्रवेश मिलता है। फ़ोन पर एक बार खोले गए टिकट बिना इंटरनेट के भी खुलते हैं।',
      },
      {
        question: 'क्या टिकट रद्द हो सकता है?',
        answer: `हाँ। "मेरे टिकट" खोलिए और कार्यक्रम से ${CANCELLATION_CUTOFF_DAYS} दिन पहले तक ख़ुद रद्द कीजिए। रद्द किए गए हर टिकट पर ₹${FACT.deductionTotalRupees} कटते हैं और बाकी रकम 5-7 कामकाजी दिनों में उसी माध्यम से लौटती है जिससे आपने भुगतान किया था।`,
      },
      {
        question: 'क्या मेरा टिकट कोई और इस्तेमाल कर सकता है?',
        answer: `टिकट आपके नाम का है। न आ सकें तो कार्यक्रम से कम से कम ${FACT.transferNoticeHours} घंटे पहले हमसे ट्रांसफ़र के लिए कहिए। इसका शुल्क प्रति टिकट ₹${FACT.transferFeeRupees} है।`,
      },
      {
        question: 'क्या बच्चों का टिकट लगता है?',
        answer: `${FACT.freeEntryBelowAge} साल से छोटे बच्चों का प्रवेश निःशुल्क है। टिकट ख़रीदने के लिए आपकी उम्र कम से कम ${FACT.buyerMinimumAge} साल होनी चाहिए।`,
      },
      {
        question: 'आपसे संपर्क कैसे करें?',
        answer: `नीचे दिए "मदद के लिए संपर्क" से हमें लिखिए। हम ${FACT.supportReplyHours.from} से ${FACT.supportReplyHours.to} घंटों में जवाब देते हैं।`,
      },
    ],
  },
  footer: {
    quickLinks: 'त्वरित लिंक',
    about: 'इस शाम के बारे में',
    faq: 'सवाल और जवाब',
    crew: 'स्वयंसेवक: यह फ़ोन जोड़ें',
    policies: 'नीतियाँ',
    contactHeading: 'संपर्क',
    contact: 'मदद के लिए संपर्क',
    mailSubject: (title: string) => `${title} के बारे में सवाल`,
    instagram: 'Instagram',
    facebook: 'Facebook',
    soon: 'जल्द आ रहा है',
    closing: 'गरबे के उजाले में झूमें।',
  },
} as const satisfies Translation<typeof en>
