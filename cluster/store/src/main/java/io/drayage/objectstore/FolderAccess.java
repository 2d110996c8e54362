package io.drayage.objectstore;

import io.drayage.files.FileRights;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether objects can be created in a folder: creates a small file in the same steps as an
 * object.
 */
record FolderAccess(String store, Path root, UploadFile.Opener opener, FileRights rights) {
  private static final String CONTENT = "Drayage tries whether it can write here.\n";

  /** Fails if objects cannot be created. */
  void requireWritable() throws IOException {
    Path uploads = root.resolve(FolderStore.UPLOADS);
    // The name is that of an upload, so that the file is deleted after a crash.
    Path file = uploads.resolve(UUID.randomUUID() + FolderStore.UNFINISHED);
    Path name = uploads.resolve(UUID.randomUUID() + FolderStore.UNFINISHED);
    try {
      rights.makeFolders(uploads);
      write(file);
      link(opener, name, file);
      requireCreatedOnce(name, file);
      opener.forceFolder(uploads);
      requireFoldersWritable();
    } catch (IOException e) {
      throw new ObjectStoreException(store, "it cannot be written", reason(e) + owner(e), e);
    } finally {
      deleteQuietly(name);
      deleteQuietly(file);
    }
  }

  private void write(Path file) throws IOException {
    try (UploadFile opened = opener.open(file)) {
      opened.write(ByteBuffer.wrap(CONTENT.getBytes(StandardCharsets.US_ASCII)), 0);
      opened.force();
    }
  }

  /**
   * Gives a file the name of its object, unless that exists.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  static void link(UploadFile.Opener opener, Path name, Path file) throws IOException {
    try {
      opener.link(name, file);
    } catch (FileAlreadyExistsException | NoSuchFileException | AccessDeniedException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      String why = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
      throw new FileSystemException(
          name.toString(),
          null,
          "a hard link, which each new object needs, cannot be made: %s; if the file system has none, choose a folder on another one, such as ext4 or xfs, or an S3 store"
              .formatted(why));
    }
  }

  private void requireCreatedOnce(Path name, Path file) throws IOException {
    try {
      opener.link(name, file);
    } catch (FileAlreadyExistsException e) {
      return;
    }
    throw new FileSystemException(
        name.toString(),
        null,
        "its file system creates the same name twice, so that two transactors would overwrite each other's log");
  }

  /** Fails if this process may not write to the folders: another user may have created them. */
  private void requireFoldersWritable() throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, Files::isDirectory)) {
      for (Path folder : folders) {
        if (!Files.isWritable(folder)) {
          throw new AccessDeniedException(folder.toString());
        }
      }
    }
  }

  /** Describes the owner of a path that this process may not use. */
  private String owner(IOException e) {
    if (!(e instanceof AccessDeniedException denied)) {
      return "";
    }
    Path path = Path.of(denied.getFile());
    try {
      Path existing = Files.exists(path) ? path : root;
      return " (%s is owned by '%s', this process runs as '%s')"
          .formatted(existing, Files.getOwner(existing).getName(), System.getProperty("user.name"));
    } catch (IOException | UnsupportedOperationException unknown) {
      return "";
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      boolean unused = Files.deleteIfExists(file);
    } catch (IOException e) {
      // It is deleted later, like an abandoned upload.
    }
  }

  /** Describes the failure in words. */
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "permission denied: " + denied.getFile();
    }
    @Nullable String reason =
        e instanceof FileSystemException named ? named.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }
}
