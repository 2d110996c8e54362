package io.drayage.objectstore;

/**
 * The space of a store.
 *
 * @param freeBytes bytes that this process can still write
 * @param totalBytes size of the file system, of which others may use a part
 */
public record StoreSpace(long freeBytes, long totalBytes) {}
