package io.drayage.database;

import io.drayage.frame.AppVersion;

/**
 * A transaction of an application that committed.
 *
 * @param owner who committed it, to whom the application belongs
 * @param timestamp of its snapshot
 */
public record AppCommit(AppVersion version, String owner, long timestamp) {}
