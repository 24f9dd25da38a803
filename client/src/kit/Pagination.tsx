import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './Button.tsx'
import styles from './Pagination.module.css'

interface PaginationProps {
  /** The list's name for screen readers: "Users". */
  label: string
  /** Pages count from 1. */
  page: number
  pages: number
  onPage: (page: number) => void
  /** A text on the left: "1-20 of 5,000". */
  summary?: string
}

export const Pagination = ({ label, page, pages, onPage, summary }: PaginationProps) => (
  <nav className={styles.nav} aria-label={`${label} pages`}>
    <p className={styles.summary}>{summary}</p>
    <div className={styles.steps}>
      <Button size="sm" icon={<ChevronLeft aria-hidden="true" />} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <p className={styles.place} aria-live="polite">
        Page {page} of {Math.max(1, pages)}
      </p>
      <Button
        size="sm"
        iconAfter={<ChevronRight aria-hidden="true" />}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        Next
      </Button>
    </div>
  </nav>
)
