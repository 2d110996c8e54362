package io.drayage.objectstore;

import io.drayage.internal.Slf4j;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Opens object stores by name. */
public final class ObjectStores {
  private static final String FOLDER = "fs:";
  private static final String S3 = "s3:";

  /** The names of one class of each artifact that the S3 client needs. */
  private static final List<String> S3_CLIENT =
      List.of(
          "software.amazon.awssdk.services.s3.S3Client",
          "software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient");

  private ObjectStores() {}

  /**
   * Opens a store.
   *
   * @param name {@code fs:FOLDER}, or {@code s3:BUCKET[/PREFIX][?OPTIONS]}, see {@link S3Options}
   * @throws IllegalArgumentException if the name is not valid
   * @throws IOException if the store cannot be used; also if the client of S3, which a program has
   *     to add itself, is not on the class path
   */
  public static ObjectStore open(String name) throws IOException {
    if (name.startsWith(FOLDER) && name.length() > FOLDER.length()) {
      return FolderStore.open(folder(name));
    }
    if (name.startsWith(S3)) {
      requireS3Client(name);
      return S3Store.open(S3Options.parse(name.substring(S3.length())));
    }
    throw new IllegalArgumentException(
        "'%s' is not an object store: expected fs:FOLDER or s3:BUCKET[/PREFIX][?OPTIONS]"
            .formatted(name));
  }

  /**
   * Opens a store for a reader. Does not create a missing folder.
   *
   * @throws ObjectStoreException if the folder is missing
   */
  public static ObjectStore openExisting(String name) throws IOException {
    if (name.startsWith(FOLDER) && !Files.isDirectory(folder(name))) {
      throw new ObjectStoreException(
          name, "opening it", "there is no such folder: is the store right?");
    }
    return open(name);
  }

  /** Fails if the S3 client is missing. Called before a class that needs it is loaded. */
  private static void requireS3Client(String name) throws ObjectStoreException {
    for (String client : S3_CLIENT) {
      try {
        Class.forName(client, false, ObjectStores.class.getClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        throw new ObjectStoreException(
            name,
            "opening it",
            "the client of S3 is not on the class path (no %s): add software.amazon.awssdk:s3 and"
                    .formatted(client)
                + " software.amazon.awssdk:url-connection-client; io.drayage:drayage-bom has their"
                + " versions",
            e);
      }
    }
    Slf4j.prepare();
  }

  private static Path folder(String name) {
    try {
      return Path.of(name.substring(FOLDER.length()));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'%s': %s".formatted(name, e.getReason()), e);
    }
  }
}
