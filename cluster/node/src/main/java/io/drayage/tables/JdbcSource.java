package io.drayage.tables;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A database that JDBC reaches.
 *
 * @param url in the driver's format: {@code jdbc:postgresql://host/shop}
 * @param driver the jar of the driver; null if it is on the class path
 * @param user null if the URL has it, or no user is needed
 * @param passwordFile a file with the password in its first line; null if no password is needed
 */
public record JdbcSource(
    String url, @Nullable Path driver, @Nullable String user, @Nullable Path passwordFile) {}
