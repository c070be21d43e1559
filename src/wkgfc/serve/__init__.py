"""What other programs call: guards and tools for products that are built on language models."""
