CREATE TABLE `settlement_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`kind` text NOT NULL,
	`settlement_id` text NOT NULL,
	`day` text NOT NULL,
	`amount_paise` integer NOT NULL,
	`fee_paise` integer NOT NULL,
	`stored_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `settlement_lines_by_day` ON `settlement_lines` (`day`,`settlement_id`);--> statement-breakpoint
CREATE TABLE `statement_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`amount_paise` integer NOT NULL,
	`utrs` text NOT NULL,
	`description` text NOT NULL,
	`imported_at` integer NOT NULL,
	`imported_by_name` text NOT NULL,
	`order_id` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `statement_lines_order` ON `statement_lines` (`order_id`) WHERE "statement_lines"."order_id" is not null;--> statement-breakpoint
CREATE INDEX `statement_lines_by_day` ON `statement_lines` (`day`);