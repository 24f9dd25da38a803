CREATE TABLE `block_codes` (
	`ticket_id` text PRIMARY KEY NOT NULL,
	`block_id` text NOT NULL,
	`number` integer NOT NULL,
	`qr_code` text NOT NULL,
	`state` text NOT NULL,
	`order_id` text,
	FOREIGN KEY (`block_id`) REFERENCES `code_blocks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "block_codes_state" CHECK("block_codes"."state" in ('allotted', 'sold', 'returned')),
	CONSTRAINT "block_codes_order" CHECK(("block_codes"."state" = 'sold') = ("block_codes"."order_id" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `block_codes_number` ON `block_codes` (`block_id`,`number`);--> statement-breakpoint
CREATE TABLE `code_blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`device_id` text,
	`size` integer NOT NULL,
	`ticket_price_paise` integer NOT NULL,
	`group_price_paise` integer,
	`created_at` integer NOT NULL,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`lease_until` integer,
	`ended_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `code_blocks_listed` ON `code_blocks` (`event_id`,`id`);--> statement-breakpoint
CREATE INDEX `code_blocks_leased` ON `code_blocks` (`lease_until`) WHERE "code_blocks"."ended_at" is null;