import type { ComponentProps } from 'react'

/** Read by screen readers, not drawn. */
export const VisuallyHidden = (props: Omit<ComponentProps<'span'>, 'className'>) => (
  <span className="spoken" {...props} />
)
