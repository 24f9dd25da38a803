import { formatCount } from './language.ts'
/** The messages for each field of the event form and POST/PUT /event: SPEC section 5's, then those for our own limits. */
export const EVENT_FORM = {
  nameRequired: 'Event name is required',
  dateRequired: 'Event date is required',
  venueRequired: 'Event venue is required',
  descriptionRequired: 'Event description is required',
  startTimeRequired: 'Start time is required',
  endTimeRequired: 'End time is required',
  ticketPriceInvalid: 'Valid ticket price is required (must be greater than 0)',
  groupPriceInvalid: 'Valid group price for 4+ tickets is required (must be greater than 0)',
  totalTicketsInvalid: 'Valid total tickets count is required (must be greater than 0)',
  datePast: 'Event date cannot be in the past',
  startTimeFormat: 'Start time must be in HH:MM format (e.g., 18:00)',
  endTimeFormat: 'End time must be in HH:MM format (e.g., 22:00)',
  endBeforeStart: 'End time must be after start time',
  imageFormat: 'Invalid image format. Please upload a valid image file.',
  imageType: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)',
  imageSize: 'Image file size must be less than 5MB',
  endsNextDayInvalid: 'Ends the next day must be true or false',
  fixErrors: 'Please fix the validation errors before submitting',

  dateTooFar: (years: number) => `Event date must be within the next ${years} years`,
  dateFormat: 'Event date must be a real date (YYYY-MM-DD)',
  ticketPriceDecimals: 'Ticket price can have at most 2 decimal places',
  groupPriceDecimals: 'Group price can have at most 2 decimal places',
  featuresShape: 'Features must be a list of short texts',
  aboutShape: 'About text must be text',
  textTooLong: (what: string, max: number) => `${what} must be at most ${max} characters`,
  numberTooHigh: (what: string, max: number) => `${what} must be at most ${formatCount(max)}`,
  tooManyFeatures: (max: number) => `At most ${max} features can be listed`,
  /** sold: active and used tickets. */
  totalBelowSold: (sold: number) =>
    `Total tickets cannot be less than the ${sold} ${sold === 1 ? 'ticket' : 'tickets'} already sold`,
} as const
