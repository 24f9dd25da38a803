ALTER TABLE `events` ADD `people_warned_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `anonymous_at` integer;