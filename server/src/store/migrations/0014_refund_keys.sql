CREATE TABLE `known_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`asked` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `aside_note` text;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `aside_by_name` text;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `aside_at` integer;