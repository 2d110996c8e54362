package io.drayage.tables;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A database that JDBC reaches.
 *
 * @param url as its driver has it: {@code jdbc:postgresql://host/shop}
 * @param driver the jar of the driver; null if it is on the class path
 * @param user null if the URL says it, or none is needed
 * @param passwordFile has the password as its first line; null if none is needed
 */
public record JdbcSource(
    String url, @Nullable Path driver, @Nullable String user, @Nullable Path passwordFile) {}
