import { formatCount, type Translation } from '@garba/shared/messages/language'
import { POLICY_FACTS } from '@garba/shared/messages/policies'
import type { en } from './en.ts'

const tickets = (n: number) => (n === 1 ? 'टिकट' : `${formatCount(n)} टिकट`)

export const hi = {
  hello: (name: string) => `नमस्ते ${name},`,
  facts: {
    event: 'कार्यक्रम',
    date: 'तारीख',
    time: 'समय',
    hours: (from: string, to: string) => `${from} से ${to}`,
    venue: 'स्थान',
    map: 'नक्शे में खोलें',
    order: 'ऑर्डर',
    ticket: 'टिकट',
    paid: 'चुकाई गई रकम',
    refund: 'रिफ़ंड',
  },
  button: 'मेरे टिकट खोलें',
  calendar: 'कैलेंडर की फ़ाइल साथ में जुड़ी है।',
  refundTime: `रिफ़ंड खाते में दिखने में आम तौर पर ${POLICY_FACTS.refundDays.usual} कामकाजी दिन लगते हैं।`,
  questions: (address: string) => `कोई सवाल हो तो ${address} पर लिखें।`,
  why: (site: string) => `आपको यह ईमेल इसलिए मिला है क्योंकि ${site} पर आपका ऑर्डर है।`,
  paid: {
    subject: (n: number, event: string) => `${event} के लिए ${n === 1 ? 'आपका' : 'आपके'} ${tickets(n)}`,
    title: (n: number) => (n === 1 ? 'आपका टिकट आ गया' : 'आपके टिकट आ गए'),
    text: (rupees: string) => `हमें आपका ${rupees} का भुगतान मिल गया है। धन्यवाद!`,
    free: (n: number) => (n === 1 ? 'आपका टिकट तैयार है।' : 'आपके टिकट तैयार हैं।'),
    gate: 'गेट पर हर व्यक्ति के लिए एक कोड दिखाएँ। हर कोड एक ही बार चलता है, इसलिए उसे केवल उसी को भेजें जो उसका इस्तेमाल करेगा।',
    ticket: (last8: string) => `टिकट ${last8}`,
    of: (at: number, of: number) => `${at} / ${of}`,
    names: 'आपके साथ कौन आ रहा है? "मेरे टिकट" में हर टिकट पर नाम लिखें, ताकि गेट पर सब जल्दी मिल जाएँ।',
    code: (last8: string) => `टिकट ${last8} का QR कोड`,
    more: (n: number) => (n === 1 ? 'एक और टिकट "मेरे टिकट" में है।' : `बाकी ${tickets(n)} "मेरे टिकट" में हैं।`),
    noPictures: 'कोड नहीं दिख रहे? अपने मेल ऐप में चित्र दिखाने की अनुमति दें, या "मेरे टिकट" खोलें: यह गेट पर इंटरनेट के बिना भी चलता है।',
  },
  /** To the first in line, when seats become free. */
  offer: {
    subject: (event: string) => `${event}: आपके लिए टिकट रखे हैं`,
    title: 'आपकी बारी',
    text: (n: number, at: string) =>
      `आपके लिए ${at} तक ${n} टिकट रखे हैं। उससे पहले मेरे टिकट खोलकर बुक करें; उसके बाद वे इंतज़ार कर रहे अगले व्यक्ति को मिलते हैं।`,
  },
  /** The day before the event. */
  reminder: {
    subject: (event: string) => `याद दिला दें: ${event}`,
    title: 'जल्द मिलते हैं!',
    text: (n: number) => (n === 1 ? 'शाम के लिए आपका टिकट यह रहा।' : 'शाम के लिए आपके टिकट ये रहे।'),
  },
  cancelled: {
    subject: (n: number, last8: string, event: string) =>
      n === 1 ? `${event} का टिकट ${last8} रद्द हो गया` : `${event} के ${tickets(n)} रद्द हो गए`,
    title: (n: number) => (n === 1 ? 'आपका टिकट रद्द हो गया' : `आपके ${tickets(n)} रद्द हो गए`),
    text: (n: number, ids: string) =>
      n === 1
        ? `आपके कहने पर टिकट ${ids} रद्द कर दिया गया है। उसका QR कोड अब नहीं चलेगा।`
        : `आपके कहने पर टिकट ${ids} रद्द कर दिए गए हैं। उनके QR कोड अब नहीं चलेंगे।`,
    price: 'टिकट की कीमत',
    gateway: 'पेमेंट गेटवे',
    platform: 'प्लेटफ़ॉर्म',
    refund: 'आपका रिफ़ंड',
    made: 'आपने जिस तरह भुगतान किया था, रिफ़ंड उसी तरह वापस भेज दिया गया है।',
    partly: (rupees: string) =>
      `आपने जिस तरह भुगतान किया था, ${rupees} उसी तरह वापस भेज दिए गए हैं। बाकी रिफ़ंड हो जाने पर हम फिर ईमेल करेंगे।`,
    asked: 'आपने जिस तरह भुगतान किया था, रिफ़ंड उसी तरह वापस मिलेगा। रिफ़ंड हो जाने पर हम फिर ईमेल करेंगे।',
    nothing: 'कटौती के बाद रिफ़ंड के लिए कोई रकम नहीं बचती।',
  },
  refunded: {
    subject: (rupees: string) => `आपका ${rupees} का रिफ़ंड हो गया`,
    title: 'आपका रिफ़ंड हो गया',
    text: (rupees: string) => `आपने जिस तरह भुगतान किया था, हमने उसी तरह ${rupees} वापस भेज दिए हैं।`,
  },
  byHand: {
    subject: (rupees: string) => `आपके ${rupees} के रिफ़ंड में थोड़ा और समय लगेगा`,
    title: 'आपके रिफ़ंड में थोड़ा और समय लगेगा',
    text: (rupees: string) => `आपका ${rupees} का रिफ़ंड अपने आप नहीं हो सका। अब हम इसे ख़ुद कर रहे हैं और हो जाने पर फिर ईमेल करेंगे।`,
    nothing: 'आपको कुछ करने की ज़रूरत नहीं है। आपके पैसे सुरक्षित हैं।',
  },
  returned: {
    subject: (rupees: string) => `आपको ${rupees} वापस मिलेंगे`,
    full: (rupees: string) => `${rupees} उसी तरह वापस मिलेंगे जिस तरह आपने भुगतान किया था। रिफ़ंड हो जाने पर हम फिर ईमेल करेंगे।`,
    late: {
      title: 'आपका भुगतान देर से मिला',
      text: (rupees: string) =>
        `आपका ${rupees} का भुगतान ऑर्डर का समय पूरा होने के बाद मिला और उसकी जगहें अब नहीं बची हैं। इस ऑर्डर का कोई टिकट आपके पास नहीं है और आपको पूरे पैसे वापस मिलेंगे।`,
    },
    duplicate: {
      title: 'आपने ज़्यादा भुगतान किया है',
      text: (rupees: string) =>
        `हमें आपके ऑर्डर की कीमत से ${rupees} ज़्यादा मिले हैं। आपके टिकट आपके ही रहेंगे और ज़्यादा मिली पूरी रकम वापस मिलेगी।`,
    },
    event: {
      title: 'आयोजक आपके पैसे लौटा रहे हैं',
      text: (rupees: string) =>
        `आयोजक आपको ${rupees} का रिफ़ंड दे रहे हैं। जिन टिकटों का रिफ़ंड हुआ है वे रद्द माने जाएँगे; कौन से टिकट अब भी मान्य हैं, यह "मेरे टिकट" में दिखेगा।`,
    },
  },
  calledOff: {
    subject: (event: string) => `${event} रद्द हो गया है`,
    title: 'कार्यक्रम रद्द हो गया है',
    text: (event: string, day: string) => `${day} को होने वाला ${event} अब नहीं होगा।`,
    money:
      'आपने टिकटों के लिए जो भी चुकाया है, वह पूरा उसी तरीके से वापस मिलेगा जिससे आपने चुकाया था। आपको कुछ करने की ज़रूरत नहीं; पैसे भेजे जाने पर हम फिर लिखेंगे।',
  },
  changed: {
    subject: (event: string) => `${event}: कृपया बदलाव देख लें`,
    title: 'कृपया बदलाव देख लें',
    text: 'आयोजक का संदेश:',
    now: 'अब यह विवरण लागू है:',
    valid: 'आपके टिकट मान्य रहेंगे; उनके कोड नहीं बदले हैं।',
    free: (until: string) =>
      `नई तारीख आपके लिए ठीक न हो तो ${until} तक मेरे टिकट में टिकट रद्द कर सकते हैं, और पूरी कीमत वापस मिलेगी।`,
  },
} as const satisfies Translation<typeof en>
