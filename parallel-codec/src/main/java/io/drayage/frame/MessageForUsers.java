package io.drayage.frame;

/**
 * Marks a checked exception whose message is for the user of a program: it names the values and the
 * reason, and needs no name of a class before it.
 */
public interface MessageForUsers {}
