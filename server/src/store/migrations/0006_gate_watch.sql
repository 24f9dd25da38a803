ALTER TABLE `devices` ADD `checker_id` text;--> statement-breakpoint
CREATE INDEX `scans_by_hand` ON `scans` (`received_at`) WHERE "scans"."manual" = 1;--> statement-breakpoint
CREATE INDEX `scans_back_dated` ON `scans` (`received_at`) WHERE "scans"."back_dated" = 1;