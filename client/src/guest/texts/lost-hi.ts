import { formatCount, type Translation } from '@garba/shared/messages/language'
import type { lost as english } from './lost-en.ts'

export const lost = {
  title: 'जाँच में टिकट',
  beside: (n: number) => (n === 1 ? 'एक और टिकट की जाँच जारी है।' : `${formatCount(n)} और टिकटों की जाँच जारी है।`),
  explained:
    'आयोजक को डेटा की पुरानी प्रति वापस लानी पड़ी, और उसमें ये टिकट नहीं हैं। इन्हें यहीं रहने दें: आयोजक जाँच कर रहे हैं, आपको कुछ नहीं करना है।',
  state: { unsent: 'जाँच बाकी', waiting: 'जाँच जारी', refused: 'स्वीकार नहीं हुआ' },
  says: {
    unsent: 'आपके ऑनलाइन होते ही यह टिकट आयोजक को भेजा जाएगा।',
    waiting: 'कोड आयोजक को मिल गया है और वे निर्णय लेंगे। कार्यक्रम पहले शुरू हो जाए, तो यह कोड प्रवेश द्वार पर दिखाएँ।',
  },
  why: {
    desk: 'आयोजक इस टिकट की पुष्टि नहीं कर सके।',
    otherEvent: 'यह टिकट मौजूदा कार्यक्रम का नहीं है।',
    invalid: 'इस टिकट का कोड अब मान्य नहीं है।',
  },
  note: (note: string) => `आयोजक का कहना है: ${note}`,
  remove: 'हटाएँ',
  removeOf: (last8: string) => `टिकट ${last8} हटाएँ`,
} as const satisfies Translation<typeof english>
