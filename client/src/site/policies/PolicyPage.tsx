import { POLICY } from '@garba/shared/messages/policies'
import { cancellation } from '@garba/shared/messages/policyPages/cancellation'
import { privacy } from '@garba/shared/messages/policyPages/privacy'
import { refund } from '@garba/shared/messages/policyPages/refund'
import { terms } from '@garba/shared/messages/policyPages/terms'
import type { PolicyText } from '@garba/shared/messages/policyPages/text'
import { SHELL } from '@garba/shared/messages/shell'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { BandhaniDivider } from '../../kit/BandhaniDivider.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Surface } from '../../kit/Surface.tsx'
import { useConfig } from '../../platform/config.ts'
import { usePageTitle } from '../../platform/page.ts'
import styles from './PolicyPage.module.css'
import { POLICY_ADDRESSES, type Policy } from './PolicyRoute.tsx'

const TEXTS: Readonly<Record<Policy, PolicyText>> = { privacy, cancellation, refund, terms }
const OTHERS = Object.keys(TEXTS) as Policy[]

/** One of the four policy pages (SPEC 2): a sheet of paper, in English whatever the site speaks. */
export const PolicyPage = ({ policy }: { policy: Policy }) => {
  const text = TEXTS[policy]
  usePageTitle(text.title)
  return (
    <div className={styles.page} lang="en">
      <BackToHome />
      <Surface tone="paper">
        <article className={styles.sheet}>
          <BandhaniDivider className={styles.border} />
          <header>
            <h1 className={styles.title}>{text.title}</h1>
            {text.version === null ? null : <p className={styles.version}>Version {text.version}</p>}
          </header>
          <p className={styles.intro}>{text.intro}</p>
          {text.sections.map((section) => (
            <Part key={section.title} {...section} />
          ))}
          <Contact />
        </article>
      </Surface>
      <nav aria-label="Other policies" className={styles.others}>
        {OTHERS.filter((other) => other !== policy).map((other) => (
          <Link key={other} to={POLICY_ADDRESSES[other]}>
            {TEXTS[other].title}
          </Link>
        ))}
      </nav>
      <BackToHome />
    </div>
  )
}

const BackToHome = () => (
  <ButtonLink to="/" icon={<ArrowLeft aria-hidden="true" />} className={styles.back}>
    {SHELL.backToHome}
  </ButtonLink>
)

const Part = ({ title, body }: PolicyText['sections'][number]) => (
  <section className={styles.part}>
    <h2>{title}</h2>
    {body.map((paragraph) =>
      typeof paragraph === 'string' ? (
        <p key={paragraph}>{paragraph}</p>
      ) : (
        <ul key={paragraph[0]}>
          {paragraph.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      ),
    )}
  </section>
)

const Contact = () => {
  const support = useConfig(({ config }) => config?.supportEmail ?? '')
  return (
    <section className={styles.part}>
      <h2>Contact</h2>
      <p>
        {POLICY.support}
        {support === '' ? null : (
          <>
            {' '}
            Write to <a href={`mailto:${support}`}>{support}</a>.
          </>
        )}
      </p>
    </section>
  )
}
