ALTER TABLE `scans` ADD `claimed_at` integer;--> statement-breakpoint
ALTER TABLE `scans` ADD `back_dated` integer DEFAULT false NOT NULL;