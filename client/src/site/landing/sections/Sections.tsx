import { GROUP_TIER_FROM, IMAGE_LAZY_MARGIN_PX, IMAGE_PRELOAD_TIMEOUT_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { numberFormat } from '@garba/shared/intlFormats'
import { LANGUAGE_LOCALES } from '@garba/shared/messages/language'
import { formatRupees } from '@garba/shared/rules/money'
import { largestQuantity } from '@garba/shared/rules/orders/sale'
import { ChevronDown, MapPin, Minus, Plus } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { quotePurchase } from '../../../guest/purchase/order.ts'
import { TypeList } from '../../../guest/types/TypeList.tsx'
import { useTypeWords } from '../../../guest/types/words.ts'
import { StateChip } from '../../../kit/Badge.tsx'
import { AnchorButton } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { IconButton } from '../../../kit/IconButton.tsx'
import { Arch, ImageWithFallback } from '../../../kit/ImageWithFallback.tsx'
import { Skeleton } from '../../../kit/Skeleton.tsx'
import { useConfig } from '../../../platform/config.ts'
import { findSessionRole, useSession, useSessionStore } from '../../../platform/identity/session.ts'
import { useLanguage } from '../../../platform/language.ts'
import { mapsLink } from '../../../platform/mapsLink.ts'
import { useEnter } from '../../enter.ts'
import { useWords } from '../../words.ts'
import { type EventFacts, useEventStatus } from '../facts.ts'
import { CountdownSection } from './CountdownSection.tsx'
import { drawingsFor, Motif } from './Motifs.tsx'
import { Section } from './Section.tsx'
import styles from './Sections.module.css'
import { useSectionWords } from './words.ts'

// These complete the hero. They come with the sections, because they would make its first paint heavier.
export { MailSignIn } from '../../auth/MailSignIn.tsx'
export { Footer } from './Footer.tsx'

/** The spec fixes this order, as far as it names the sections. */
export const Sections = ({ event, facts }: { event: GarbaEvent | null; facts: EventFacts }) => (
  <>
    <About event={event} facts={facts} />
    <Details event={event} facts={facts} />
    <CountdownSection event={event} />
    <Features features={event?.features ?? []} />
    <Venue venue={facts.venue} announced={event !== null} />
    <Faq />
  </>
)

const About = ({ event, facts }: { event: GarbaEvent | null; facts: EventFacts }) => {
  const { about } = useSectionWords()
  const picture = event?.eventImage ?? null
  const paragraphs = [facts.description, ...(event?.aboutText ?? '').split(/\n+/)].map((text) => text.trim())
  return (
    <Section id="about" title={about.title} line={about.line} scene="dancers" wide={picture === null}>
      <div className={cx(styles.columns, picture === null && styles.alone)}>
        <div className={styles.words}>
          {paragraphs.filter(Boolean).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
        {picture === null ? null : (
          <Arch width={400}>
            <LazyPicture src={picture} alt={about.picture} unavailable={about.noPicture} />
          </Arch>
        )}
      </div>
    </Section>
  )
}

const Details = ({ event, facts }: { event: GarbaEvent | null; facts: EventFacts }) => {
  const { hero } = useWords()
  const { details } = useSectionWords()
  const { phase, onSale } = useEventStatus(event)
  const enter = useEnter()
  const types = event?.types ?? []
  return (
    <Section id="details" title={details.title} line={details.line} scene="sticks">
      <div className={styles.paper} data-surface="paper" data-types={types.length > 1 || undefined}>
        <dl className={styles.when}>
          <Detail label={hero.date}>{facts.longDate ?? facts.shortDate}</Detail>
          <Detail label={hero.time}>{facts.time}</Detail>
          <Detail label={hero.venue}>{facts.venue}</Detail>
        </dl>
        {phase === 'over' ? null : event !== null && types.length > 1 ? (
          <div className={styles.prices}>
            <TypeList
              types={types}
              free={event.availableTickets}
              onChoose={onSale ? (type) => void enter(1, type) : null}
            />
            <dl>
              <Availability event={event} />
            </dl>
          </div>
        ) : (
          <dl className={styles.prices}>
            <Detail label={facts.group ? details.single : hero.price}>
              <Price amount={facts.price} each={details.each} />
            </Detail>
            {facts.group === null ? null : (
              <Detail label={details.group} note={details.saving(facts.group.saving)}>
                <Price amount={facts.group.price} each={details.each} />
              </Detail>
            )}
            {event === null ? null : <Availability event={event} />}
          </dl>
        )}
      </div>
    </Section>
  )
}

const Detail = ({ label, note, children }: { label: string; note?: string; children: ReactNode }) => (
  <div className={styles.detail}>
    <dt>{label}</dt>
    <dd className={styles.value}>{children}</dd>
    {note === undefined ? null : <dd className={styles.note}>{note}</dd>}
  </div>
)

const Price = ({ amount, each }: { amount: string; each: string }) => (
  <>
    <span className={styles.amount}>{amount}</span> <span className={styles.each}>{each}</span>
  </>
)

const Availability = ({ event }: { event: GarbaEvent }) => {
  const { hero } = useWords()
  const { stock } = useEventStatus(event)
  const { details } = useSectionWords()
  const language = useLanguage((store) => store.language)
  const count = numberFormat(LANGUAGE_LOCALES[language], {}).format(event.availableTickets)
  return (
    <Detail label={details.availability}>
      {stock === 'few' ? (
        <StateChip state="warn">{hero.few(event.availableTickets)}</StateChip>
      ) : stock === 'enough' ? (
        <StateChip state="ok">{details.remaining(count)}</StateChip>
      ) : (
        <StateChip state="bad">{hero.soldOut}</StateChip>
      )}
    </Detail>
  )
}

const Features = ({ features }: { features: readonly string[] }) => {
  const words = useSectionWords()
  if (features.length === 0) return null
  const drawings = drawingsFor(features)
  return (
    <Section id="features" title={words.features.title} line={words.features.line} scene="dhol">
      <ul className={styles.list}>
        {features.map((feature, index) => (
          <li key={feature} className={styles.item}>
            <Motif drawing={drawings[index] ?? 0} />
            {feature}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The browser's own accordion: among `details` with one name, only one is open at a time. */
const Faq = () => {
  const { faq } = useSectionWords()
  return (
    <Section id="faq" title={faq.title}>
      <div className={styles.questions}>
        {faq.items.map(({ question, answer }) => (
          <details key={question} name="faq" className={styles.entry}>
            <summary className={styles.question}>
              {question}
              <ChevronDown />
            </summary>
            <p className={styles.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}

const Venue = ({ venue, announced }: { venue: string; announced: boolean }) => {
  const words = useSectionWords()
  return (
    <Section id="venue" title={words.venue.title} line={words.venue.line} scene="ground" wide>
      <div className={styles.place}>
        <address className={styles.address}>{venue}</address>
        {announced ? (
          <AnchorButton
            icon={<MapPin />}
            href={mapsLink(venue, navigator.userAgent)}
            target="_blank"
            rel="noopener noreferrer"
          >
            {words.venue.openMaps}
          </AnchorButton>
        ) : null}
      </div>
    </Section>
  )
}

type PreloadState = 'far' | 'coming' | 'here' | 'missing'

/**
 * A picture that loads when it comes within 100 px of the viewport. Its fallback is shown when it fails or takes longer
 * than 3 s; a picture that arrives later still replaces it.
 */
const LazyPicture = ({ src, alt, unavailable }: { src: string; alt: string; unavailable: string }) => {
  const frame = useRef<HTMLDivElement>(null)
  const loading = usePreload(src, useNear(frame))
  return (
    <div ref={frame}>
      {loading === 'here' || loading === 'missing' ? (
        <ImageWithFallback
          src={loading === 'here' ? src : null}
          alt={alt}
          unavailable={unavailable}
          className={styles.picture}
          loading="eager"
        />
      ) : (
        <Skeleton height="100%" className={styles.picture ?? ''} />
      )}
    </div>
  )
}

function useNear(frame: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!frame.current) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: `${IMAGE_LAZY_MARGIN_PX}px` },
    )
    watch.observe(frame.current)
    return () => watch.disconnect()
  }, [frame])
  return near
}

function usePreload(src: string, near: boolean): PreloadState {
  const [loading, setLoading] = useState<PreloadState>('far')
  useEffect(() => {
    if (!near) return
    setLoading('coming')
    const picture = new Image()
    picture.onload = () => setLoading('here')
    picture.onerror = () => setLoading('missing')
    picture.src = src
    const patience = setTimeout(
      () => setLoading((now) => (now === 'coming' ? 'missing' : now)),
      IMAGE_PRELOAD_TIMEOUT_MS,
    )
    return () => {
      clearTimeout(patience)
      picture.onload = null
      picture.onerror = null
    }
  }, [src, near])
  return loading
}

interface TicketChoiceProps {
  event: GarbaEvent
  quantity: number
  onChoose: (quantity: number) => void
}

export const TicketChoice = ({ event, quantity, onChoose }: TicketChoiceProps) => {
  const { choice: words } = useSectionWords()
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? GROUP_TIER_FROM)
  const max = largestQuantity({ limits: { perOrder, perPerson: 0 }, owned: 0, remaining: event.availableTickets })
  const set = (next: number) => onChoose(Math.min(max, Math.max(1, next)))
  const typeWords = useTypeWords()
  useWantedTickets(set)
  useEffect(() => useSessionStore.setState({ chosen: quantity }), [quantity])
  useEffect(() => () => useSessionStore.setState({ chosen: undefined }), [])
  const price = quotePurchase(quantity, event)
  const group = quotePurchase(GROUP_TIER_FROM, event)
  const offersGroup = quantity < GROUP_TIER_FROM && GROUP_TIER_FROM <= max && group !== null && group.saving > 0
  if ((event.types?.length ?? 0) > 1)
    return (
      <a href="#details" className={styles.toTypes}>
        {typeWords.all}
      </a>
    )
  return (
    <div className={styles.choice}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex row in every browser */}
      <div role="group" aria-label={words.title} className={styles.stepper}>
        <IconButton
          outlined
          label={words.less}
          icon={<Minus />}
          disabled={quantity <= 1}
          onClick={() => set(quantity - 1)}
        />
        <output className={styles.count}>{quantity}</output>
        <IconButton
          outlined
          label={words.more}
          icon={<Plus />}
          disabled={quantity >= max}
          onClick={() => set(quantity + 1)}
        />
      </div>
      <div className={styles.sum}>
        <p className={styles.total} aria-live="polite">
          {price && words.total(formatRupees(price.total))}
        </p>
        {offersGroup ? (
          <button type="button" className={styles.group} onClick={() => set(GROUP_TIER_FROM)}>
            {words.group(GROUP_TIER_FROM, formatRupees(group.total), formatRupees(group.saving))}
          </button>
        ) : price && price.saving > 0 ? (
          <p className={styles.saving}>{words.saving(formatRupees(price.saving))}</p>
        ) : null}
      </div>
    </div>
  )
}

function useWantedTickets(choose: (quantity: number) => void): void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const session = useSession()
  const done = useRef(false)
  const count = Number(search.get('tickets'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link counts once; the number can be changed after it
  useEffect(() => {
    if (done.current || session.type === 'initializing' || !Number.isInteger(count) || count < 1) return
    done.current = true
    choose(count)
    if (findSessionRole(session) === 'guest') void navigate('/dashboard', { replace: true, state: { buy: count } })
  }, [count, session])
}
