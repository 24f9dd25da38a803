import { PAIR_PAGE, POLICY_PAGES, type Policy } from '@garba/shared/contracts/site/pages'
import { POLICY_TITLES } from '@garba/shared/messages/policies'
import { Link } from 'react-router'
import { useConfig } from '../../../platform/config.ts'
import { useLanguage } from '../../../platform/language.ts'
import styles from './Footer.module.css'
import { useSectionWords } from './words.ts'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]

export const Footer = ({ title }: { title: string }) => {
  const { footer } = useSectionWords()
  const support = useConfig(({ config }) => config?.supportEmail ?? '')
  const instagram = useConfig(({ config }) => config?.instagramUrl ?? '')
  const demo = useConfig(({ config }) => config?.demo ?? false)
  const titles = POLICY_TITLES[useLanguage((store) => store.language)]
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.brand}>
          <p className={styles.title}>{title}</p>
          <p>{footer.closing}</p>
        </div>
        <nav aria-labelledby="footer-quick">
          <h2 id="footer-quick" className={styles.heading}>
            {footer.quickLinks}
          </h2>
          <ul className={styles.links}>
            <li>
              <ScrollLink to="about">{footer.about}</ScrollLink>
            </li>
            <li>
              <ScrollLink to="faq">{footer.faq}</ScrollLink>
            </li>
            <li>
              <a href={PAIR_PAGE}>{footer.crew}</a>
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-policies">
          <h2 id="footer-policies" className={styles.heading}>
            {footer.policies}
          </h2>
          <ul className={styles.links}>
            {POLICIES.map((policy) => (
              <li key={policy}>
                <Link to={POLICY_PAGES[policy]}>{titles[policy]}</Link>
              </li>
            ))}
          </ul>
        </nav>
        <div>
          <h2 className={styles.heading}>{footer.contactHeading}</h2>
          <ul className={styles.links}>
            {support === '' ? null : (
              <li>
                <a href={`mailto:${support}?subject=${encodeURIComponent(footer.mailSubject(title))}`}>
                  {footer.contact}
                </a>
              </li>
            )}
            {instagram === '' ? (
              demo && <SoonLink name={footer.instagram} soon={footer.soon} />
            ) : (
              <li>
                <a href={instagram} target="_blank" rel="noopener noreferrer">
                  {footer.instagram}
                </a>
              </li>
            )}
            <SoonLink name={footer.facebook} soon={footer.soon} />
          </ul>
        </div>
      </div>
    </footer>
  )
}

const SoonLink = ({ name, soon }: { name: string; soon: string }) => (
  <li>
    <span className={styles.soon}>
      {name} ({soon})
    </span>
  </li>
)

const ScrollLink = ({ to, children }: { to: string; children: string }) => (
  <a
    href={`#${to}`}
    onClick={(event) => {
      event.preventDefault()
      const section = document.getElementById(to)
      section?.querySelector('h2')?.scrollIntoView()
      section?.focus({ preventScroll: true })
    }}
  >
    {children}
  </a>
)
