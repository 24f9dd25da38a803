ALTER TABLE `block_codes` ADD `returned_at` integer;--> statement-breakpoint
ALTER TABLE `block_codes` ADD `returned_by_id` text;--> statement-breakpoint
ALTER TABLE `block_codes` ADD `noted_order_id` text REFERENCES orders(id);