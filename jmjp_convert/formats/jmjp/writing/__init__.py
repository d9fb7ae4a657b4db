"""The parts of the jmjp writer: head, hands, acts."""
