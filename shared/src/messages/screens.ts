/** Whole screens and panels of SPEC sections 2 and 8 that both shells share. */
export const SCREENS = {
  loadingDashboard: 'Loading Dashboard...',
  redirecting: 'Redirecting...',
  signingOut: 'Signing out...',
  crash: {
    title: 'Oops! Something went wrong',
    detail: 'The page met an error it could not recover from. It has been reported.',
    action: 'Refresh Page',
  },
  invalidRole: {
    title: 'Invalid Role',
    detail: 'Your account role is not recognised. Please contact support.',
    action: 'Go to Home',
  },
  imageUnavailable: 'Image not available',
} as const
