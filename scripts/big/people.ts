import { foldText } from '@garba/shared/rules/search'
import type { Random } from './random.ts'

export interface Person {
  uid: string
  name: string
  email: string
  /** The organiser entered this person, who has never signed in. */
  never: boolean
}

const SCRIPTS = [
  ['latin', 78],
  ['gujarati', 19],
  ['accented', 3],
] as const
const MAILS = ['gmail.test', 'outlook.test', 'yahoo.test', 'rediffmail.test'] as const

const plain = (name: string): string => foldText(name).replace(/[^a-z]+/g, '.')

export const makePeople = (random: Random, count: number): Person[] =>
  Array.from({ length: count }, (_, i) => {
    const number = i + 1
    const [latin = '', gujarati = ''] = random.pick(FIRST_NAMES)
    const [surname = '', surnameGujarati = ''] = random.pick(SURNAMES)
    const names = {
      latin: `${latin} ${surname}`,
      gujarati: `${gujarati} ${surnameGujarati}`,
      accented: random.pick(ACCENTED_NAMES),
    }
    const script = random.weighted(SCRIPTS)
    const mailName = plain(script === 'accented' ? names.accented : names.latin)
    return {
      uid: `guest-${String(number).padStart(4, '0')}`,
      name: names[script],
      email: `${mailName}${number}@${random.pick(MAILS)}`,
      never: random.chance(0.02),
    }
  })

/** Names that commas or the ends of lines separate; a name in Latin letters is followed by the same in Gujarati. */
const namesIn = (text: string): string[] => text.trim().split(/,\s+|\n\s*/)
const pairsIn = (text: string): string[][] => namesIn(text).map((pair) => pair.split(' '))

const FIRST_NAMES = pairsIn(`
  Aarav આરવ, Aditi અદિતિ, Akash આકાશ, Amit અમિત, Ananya અનન્યા, Anjali અંજલિ, Arjun અર્જુન, Asha આશા
  Avni અવની, Bhavesh ભાવેશ, Bhavna ભાવના, Charmi ચાર્મી, Chirag ચિરાગ, Darshan દર્શન, Deepa દીપા
  Dhara ધારા, Dhruvi ધ્રુવી, Divya દિવ્યા, Falguni ફાલ્ગુની, Gaurav ગૌરવ, Hardik હાર્દિક, Harsh હર્ષ
  Hetal હેતલ, Hiral હિરલ, Isha ઈશા, Janki જાનકી, Jay જય, Jigar જીગર, Jinal જીનલ, Kajal કાજલ, Karan કરણ
  Kavya કાવ્યા, Ketan કેતન, Khushi ખુશી, Kinjal કિંજલ, Krishna કૃષ્ણા, Kunal કુણાલ, Maitri મૈત્રી
  Manan મનન, Mansi માનસી, Meera મીરા, Mihir મિહિર, Mital મિત્તલ, Mohit મોહિત, Nandini નંદિની
  Neha નેહા, Nidhi નિધિ, Nikunj નિકુંજ, Nirav નીરવ, Palak પલક, Parth પાર્થ, Payal પાયલ, Pooja પૂજા
  Prachi પ્રાચી, Pranav પ્રણવ, Priya પ્રિયા, Radha રાધા, Rahul રાહુલ, Raj રાજ, Riddhi રિદ્ધિ
  Rohan રોહન, Rucha ઋચા, Rutvik ઋત્વિક, Sagar સાગર, Sejal સેજલ, Shreya શ્રેયા, Siddhi સિદ્ધિ
  Sneha સ્નેહા, Tanvi તન્વી, Tejas તેજસ, Trupti તૃપ્તિ, Urvashi ઉર્વશી, Vaishali વૈશાલી, Vidhi વિધિ
  Vishal વિશાલ, Vivek વિવેક, Yash યશ, Yesha યેશા, Zalak ઝલક, Zeel ઝીલ`)

const SURNAMES = pairsIn(`
  Patel પટેલ, Shah શાહ, Mehta મહેતા, Desai દેસાઈ, Joshi જોષી, Trivedi ત્રિવેદી, Dave દવે, Bhatt ભટ્ટ
  Parikh પરીખ, Gandhi ગાંધી, Modi મોદી, Chauhan ચૌહાણ, Solanki સોલંકી, Parmar પરમાર, Rathod રાઠોડ
  Vaghela વાઘેલા, Jadeja જાડેજા, Thakkar ઠક્કર, Soni સોની, Panchal પંચાલ, Prajapati પ્રજાપતિ
  Raval રાવલ, Vyas વ્યાસ, Pandya પંડ્યા, Barot બારોટ, Gohil ગોહિલ, Makwana મકવાણા, Kapadia કાપડિયા
  Doshi દોશી, Zaveri ઝવેરી, Amin અમીન, Nayak નાયક, Upadhyay ઉપાધ્યાય, Dholakia ધોળકિયા, Kothari કોઠારી`)

/** Guests from Goa, Puducherry and abroad, whose names need a search that ignores accents. */
const ACCENTED_NAMES = namesIn(`
  Zoë D’Souza, André Fernandes, José Pereira, Renée Lobo, Chloé Martin, Søren Kjær, Inês Noronha
  François Joseph, Óscar Núñez, Anaïs Gomes, Jürgen Müller, Mónica Rebelo, Thérèse Xavier
  Łukasz Nowak, Beatriz Conceição`)
