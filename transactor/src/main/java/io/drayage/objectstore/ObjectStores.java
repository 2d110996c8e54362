package io.drayage.objectstore;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Opens object stores by name. */
public final class ObjectStores {
  private static final String FOLDER = "fs:";
  private static final String S3 = "s3:";

  private ObjectStores() {}

  /**
   * Opens a store.
   *
   * @param name {@code fs:FOLDER}, or {@code s3:BUCKET[/PREFIX][?OPTIONS]}, see {@link S3Options}
   * @throws IllegalArgumentException if the name is not valid
   * @throws IOException if the store cannot be used
   */
  public static ObjectStore open(String name) throws IOException {
    if (name.startsWith(FOLDER) && name.length() > FOLDER.length()) {
      return FolderStore.open(folder(name));
    }
    if (name.startsWith(S3)) {
      return S3Store.open(S3Options.parse(name.substring(S3.length())));
    }
    throw new IllegalArgumentException(
        "'%s' is not an object store: expected fs:FOLDER or s3:BUCKET[/PREFIX][?OPTIONS]"
            .formatted(name));
  }

  private static Path folder(String name) {
    try {
      return Path.of(name.substring(FOLDER.length()));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'%s': %s".formatted(name, e.getReason()), e);
    }
  }
}
