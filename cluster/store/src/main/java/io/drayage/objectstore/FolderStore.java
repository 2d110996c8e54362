package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import io.drayage.files.FileRights;
import io.drayage.internal.DaemonThreads;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stores objects as files in a folder; the key is the path. Several processes may use the folder
 * concurrently.
 *
 * <p>An object is written to a temporary file in {@value #UPLOADS}, through the page cache or past
 * it ({@link WriteWay}). The complete file is forced to disk, and then linked to its name by a hard
 * link. Unlike a rename, the link fails if the name exists. The folder is forced last, so that the
 * name survives a crash, too. A folder is deleted with its last object ({@link DurableFolders}).
 *
 * <p>Only the owner can access files and folders, or also the group, if that holds for the folder
 * of the store ({@link FileRights#like}).
 */
public final class FolderStore implements ObjectStore {
  static final String UPLOADS = ".uploads";
  static final String UNFINISHED = ".part";

  /** The limit of the bytes in all uploads that wait to be written past the page cache. */
  static final long WRITE_BUFFER_BYTES = 64L << 20;

  /** The number of threads that write. More do not make a disk faster. */
  private static final int WRITERS = 2;

  private final Path root;
  private final Path uploads;
  private final UploadFile.Opener opener;
  private final FileRights rights;
  final DurableFolders folders;
  final WriteWay way = new WriteWay();
  private final ByteBudget pieceBudget = new ByteBudget(WRITE_BUFFER_BYTES);
  final BufferPool pieces =
      new BufferPool(DirectPieces.PIECE_BYTES, pieceBudget, UploadFile.ALIGNMENT);
  final ExecutorService writers =
      Executors.newFixedThreadPool(WRITERS, new DaemonThreads("store-write"));

  /** Forces files while they are written, so that completing them takes little time. */
  final ExecutorService flusher = Executors.newCachedThreadPool(new DaemonThreads("store-flush"));

  private final Sightings<Unfinished> unfinished = new Sightings<>(System::nanoTime);

  /** An upload in the state after its last write. */
  private record Unfinished(Path file, FileTime written) {}

  /** The key by which the file system identifies the folder; null if the file system has none. */
  private @Nullable Object identity;

  private FolderStore(Path root, UploadFile.Opener opener, FileRights rights) {
    this.root = root;
    this.uploads = root.resolve(UPLOADS);
    this.opener = opener;
    this.rights = rights;
    this.folders = new DurableFolders(root, opener, rights);
  }

  /**
   * Opens a store.
   *
   * @param folder created if it does not exist
   */
  public static FolderStore open(Path folder) throws IOException {
    return open(folder, UploadFile.channels(FileRights.like(folder)));
  }

  static FolderStore open(Path folder, UploadFile.Opener opener) throws IOException {
    Path root = folder.toAbsolutePath().normalize();
    FolderStore store = new FolderStore(root, opener, FileRights.like(root));
    try {
      store.folders.make(store.root);
      store.identity = store.identity();
    } catch (IOException e) {
      throw store.failed("cannot be used", e);
    }
    return store;
  }

  private @Nullable Object identity() throws IOException {
    return Files.readAttributes(root, BasicFileAttributes.class).fileKey();
  }

  /**
   * Fails if the folder is gone, or is another one than when the store was opened. After a folder
   * is moved, or a disk is unmounted, reads would find nothing, and a log would begin anew.
   */
  private void requireSameFolder() throws IOException {
    Object now;
    try {
      now = identity();
    } catch (NoSuchFileException e) {
      throw new IOException("the folder of the store is gone: was it moved, or unmounted?", e);
    }
    if (!Objects.equals(now, identity)) {
      throw new IOException(
          "the folder of the store is another one since it was opened: was a disk unmounted?");
    }
  }

  @Override
  public String name() {
    return "fs:" + root;
  }

  @Override
  public void requireWritable() throws IOException {
    new FolderAccess(name(), root, opener, rights).requireWritable();
  }

  @Override
  public Optional<StoreSpace> space() throws IOException {
    FileStore files = Files.getFileStore(root);
    return Optional.of(new StoreSpace(files.getUsableSpace(), files.getTotalSpace()));
  }

  private Path file(String key) {
    return root.resolve(ObjectStore.requireKey(key));
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    Path file = file(key);
    Path unfinished = uploads.resolve(UUID.randomUUID() + UNFINISHED);
    try {
      requireSameFolder();
      if (Files.exists(file)) {
        folders.requireForced();
        throw new ObjectExistsException(name(), key);
      }
      // Only writers create it: readers leave the folder unchanged.
      rights.makeFolders(uploads);
      return new FolderUpload(this, key, unfinished, file);
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    Path file = file(key);
    int start = target.position();
    try (FileChannel channel = FileChannel.open(file)) {
      folders.requireForced();
      long at = offset;
      while (target.hasRemaining()) {
        int count = channel.read(target, at);
        if (count < 0) {
          throw new ObjectCorruptException(
              name(),
              key,
              format(
                  "it has %,d bytes, cannot read %,d from offset %,d",
                  channel.size(), target.limit() - start, offset));
        }
        at += count;
      }
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  @Override
  public long size(String key) throws IOException {
    try {
      folders.requireForced();
      return Files.size(file(key));
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    Path folder = root;
    int slash = prefix.lastIndexOf('/');
    if (slash > 0) {
      folder = file(prefix.substring(0, slash));
    }
    List<StoredObject> found = new ArrayList<>();
    try {
      if (!Files.isDirectory(folder)) {
        requireSameFolder();
        return found;
      }
      folders.requireForced();
      Files.walkFileTree(folder, new Lister(prefix, found));
    } catch (IOException e) {
      throw failed(prefix, e);
    }
    found.sort(Comparator.comparing(StoredObject::key));
    return found;
  }

  /** Adds the objects below a folder. Skips objects that are deleted meanwhile. */
  private final class Lister extends SimpleFileVisitor<Path> {
    private final String prefix;
    private final List<StoredObject> found;

    Lister(String prefix, List<StoredObject> found) {
      this.prefix = prefix;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return folder.equals(uploads) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String key = root.relativize(file).toString().replace('\\', '/');
      if (attributes.isRegularFile() && key.startsWith(prefix)) {
        found.add(
            new StoredObject(key, attributes.size(), attributes.lastModifiedTime().toInstant()));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }

  @Override
  public void delete(String key) throws IOException {
    try {
      Path file = file(key);
      Files.deleteIfExists(file);
      folders.endIfEmpty(file.resolveSibling(""));
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) throws IOException {
    int deleted = 0;
    if (!Files.isDirectory(uploads)) {
      return deleted;
    }
    List<Unfinished> present = new ArrayList<>();
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(uploads, "*" + UNFINISHED)) {
      for (Path part : parts) {
        noteIfPresent(part, present);
      }
      for (Unfinished abandoned : unfinished.seenFor(age, present)) {
        deleted += Files.deleteIfExists(abandoned.file()) ? 1 : 0;
      }
    } catch (IOException e) {
      throw failed(UPLOADS, e);
    }
    return deleted;
  }

  private static void noteIfPresent(Path part, List<Unfinished> present) throws IOException {
    try {
      present.add(new Unfinished(part, Files.getLastModifiedTime(part)));
    } catch (NoSuchFileException e) {
      // The folder was deleted.
    }
  }

  @Override
  public void close() {
    writers.shutdown();
    flusher.shutdown();
  }

  /** Opens the file of an upload. */
  UploadFile openUpload(Path unfinished) throws IOException {
    return opener.open(unfinished);
  }

  /** Bytes of pieces in use. */
  long pieceBytes() {
    return pieceBudget.usedBytes();
  }

  /** Describes the way it writes, as far as it has measured that, in words. */
  public String describeWriting() {
    return way.describe();
  }

  /** The atomic step that creates an object. */
  void link(Path name, Path file) throws IOException {
    FolderAccess.link(opener, name, file);
  }

  /** Converts a failure of the file system. */
  ObjectStoreException failed(String key, IOException e) {
    if (e instanceof ObjectStoreException named) {
      return named;
    }
    if (e instanceof NoSuchFileException) {
      return new ObjectMissingException(name(), key, e);
    }
    return new ObjectStoreException(name(), key, FolderAccess.reason(e), e);
  }
}
