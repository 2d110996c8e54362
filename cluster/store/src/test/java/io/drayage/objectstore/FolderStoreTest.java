package io.drayage.objectstore;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FolderStoreTest extends ObjectStoreBattery {
  private static final int FULL_BYTES = 1_000_000;

  @TempDir private Path folder;

  @Override
  protected ObjectStore open() throws Exception {
    return ObjectStores.open("fs:" + folder.resolve("store"));
  }

  @Test
  void saysThatTheDiskIsFullAndStaysUsable() throws Exception {
    try (ObjectStore full =
        FolderStore.open(folder.resolve("full"), path -> new BadDisk(path, true))) {
      assertThatThrownBy(() -> full.put("large", bytes(2, FULL_BYTES + 1)))
          .isInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("large: No space left on device");
      assertThat(full.list("")).isEmpty();
      full.put("small", bytes(3, FULL_BYTES));
      assertThat(full.size("small")).isEqualTo(FULL_BYTES);
    }
    assertThat(folder.resolve("full").resolve(FolderStore.UPLOADS)).isEmptyDirectory();
  }

  @Test
  void showsNothingIfTheDiskFailsWhenTheObjectIsForced() throws Exception {
    try (ObjectStore failing =
        FolderStore.open(folder.resolve("failing"), path -> new BadDisk(path, false))) {
      assertThatThrownBy(() -> failing.put("unforced", bytes(4, 10)))
          .isInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("unforced: Input/output error");
      assertThat(failing.list("")).isEmpty();
    }
  }

  @Test
  void aLateReaderOfADeletedObjectReadsIt() throws Exception {
    Path root = folder.resolve("late");
    List<Integer> reads = new ArrayList<>();
    FaultyFolders disk = new FaultyFolders("names");
    try (ObjectStore store = disk.open(root)) {
      store.put("data/first", bytes(9, LARGE_BYTES));
      store.put("data/small", bytes(9, 1000));
      disk.fail(1);
      assertThatThrownBy(() -> store.put("names/1", bytes(1, 10)))
          .isInstanceOf(DurabilityUnknownException.class);
      // The reader has opened the file when it forces the folder that could not be forced.
      disk.whenForced(
          () -> {
            reads.add(1);
            store.delete("data/first");
            store.put("data/second", bytes(10, LARGE_BYTES));
          });
      ByteBuffer target = ByteBuffer.allocate(LARGE_BYTES);
      store.read("data/first", 0, target);
      assertThat(target.flip()).isEqualTo(bytes(9, LARGE_BYTES));
      assertThat(reads).hasSize(1);
      assertThatThrownBy(() -> store.read("data/first", 0, target))
          .isInstanceOf(ObjectMissingException.class);
    }
  }

  /** A file system without hard links. */
  private record NoLinks(IOException failure) implements UploadFile.Opener {
    @Override
    public UploadFile open(Path file) throws IOException {
      return UploadFile.CHANNELS.open(file);
    }

    @Override
    public void link(Path name, Path file) throws IOException {
      throw failure;
    }
  }

  @Test
  void namesAFileSystemWithoutHardLinksBeforeAnythingIsWritten() throws Exception {
    Path root = folder.resolve("fat");
    FileSystemException denied = new FileSystemException("x", "y", "Operation not permitted");
    try (ObjectStore store = FolderStore.open(root, new NoLinks(denied))) {
      assertThatThrownBy(store::requireWritable)
          .isExactlyInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("fs:%s: it cannot be written: a hard link", root)
          .hasMessageContaining("Operation not permitted")
          .hasMessageContaining("such as ext4 or xfs, or an S3 store");
      assertThatThrownBy(() -> store.put("object", bytes(1, 10)))
          .isExactlyInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("object: a hard link");
      assertThat(store.list("")).isEmpty();
      assertThat(root.resolve(FolderStore.UPLOADS)).isEmptyDirectory();
    }
  }

  @Test
  void saysWhyAFolderCannotBeWritten() throws Exception {
    Path root = folder.resolve("closed");
    UploadFile.Opener readOnly =
        file -> {
          throw new FileSystemException(file.toString(), null, "Read-only file system");
        };
    try (ObjectStore store = FolderStore.open(root, readOnly)) {
      assertThatThrownBy(store::requireWritable)
          .isExactlyInstanceOf(ObjectStoreException.class)
          .hasMessage("fs:%s: it cannot be written: Read-only file system", root);
    }
    UploadFile.Opener denied =
        file -> {
          throw new AccessDeniedException(file.toString());
        };
    try (ObjectStore store = FolderStore.open(root, denied)) {
      assertThatThrownBy(store::requireWritable)
          .hasMessageContaining("permission denied: ")
          .hasMessageContaining("%s is owned by '%s'", root, Files.getOwner(root).getName())
          .hasMessageContaining("this process runs as '" + System.getProperty("user.name"));
    }
    try (ObjectStore store = FolderStore.open(root, path -> new BadDisk(path, false))) {
      assertThatThrownBy(store::requireWritable).hasMessageContaining("Input/output error");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "missing, rwx------, rw-------",
    "rwx------, rwx------, rw-------",
    "rwxr-x---, rwxr-x---, rw-r-----",
    "rwxrwx---, rwxrwx---, rw-rw----",
    "rwxr-xr-x, rwx------, rw-------",
    "rwxrwxrwx, rwx------, rw-------",
  })
  void filesAreTheOwnersUnlessTheFolderIsTheGroups(String before, String folders, String files)
      throws Exception {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path root = folder.resolve("rights");
    if (!before.equals("missing")) {
      Files.setPosixFilePermissions(
          Files.createDirectory(root), PosixFilePermissions.fromString(before));
    }
    try (ObjectStore store = FolderStore.open(root)) {
      store.put("log/1", bytes(1, 10));
      store.put("data/large", bytes(2, LARGE_BYTES));
    }
    for (String made : List.of("log", "data", FolderStore.UPLOADS)) {
      assertThat(rights(root.resolve(made))).as(made).isEqualTo(folders);
    }
    assertThat(rights(root)).isEqualTo(before.equals("missing") ? folders : before);
    assertThat(rights(root.resolve("log/1"))).isEqualTo(files);
    assertThat(rights(root.resolve("data/large"))).isEqualTo(files);
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void anObjectWhoseNameCannotBeForcedIsNotReadUntilItCan() throws Exception {
    FaultyFolders disk = new FaultyFolders("log");
    try (ObjectStore store = disk.open(folder.resolve("unforced"))) {
      store.put("log/1", bytes(7, 10));
      disk.fail(4);
      assertThatThrownBy(() -> store.put("log/2", bytes(8, 10)))
          .isInstanceOf(DurabilityUnknownException.class)
          .hasMessageContaining("log/2: it was created, but whether it survives a crash is unknown")
          .hasMessageContaining("Input/output error");
      assertFails(
          () -> store.size("log/2"), ObjectStoreException.class, "log/2: Input/output error");
      assertThatThrownBy(() -> store.list("log/")).hasMessageContaining("Input/output error");
      assertThatThrownBy(() -> store.begin("log/2")).hasMessageContaining("Input/output error");
      assertThat(store.size("log/2")).isEqualTo(10);
      assertThat(store.list("log/")).hasSize(2);
    }
  }

  @Test
  void forcesEveryFolderThatItCreatesIntoTheOneAbove() throws Exception {
    FaultyFolders disk = new FaultyFolders("a");
    Path root = folder.resolve("new/root");
    try (ObjectStore store = disk.open(root)) {
      assertThat(disk.forced()).containsExactly(folder.getParent(), folder, root.getParent());
      disk.fail(1);
      assertThatThrownBy(() -> store.put("a/b/1", bytes(9, 10)))
          .isInstanceOf(ObjectStoreException.class)
          .isNotInstanceOf(DurabilityUnknownException.class);
      assertThat(store.list("")).isEmpty();
      store.put("a/b/1", bytes(9, 10));
      assertThat(disk.forced()).containsSubsequence(root, root.resolve("a"), root.resolve("a/b"));
    }
    FaultyFolders again = new FaultyFolders("a");
    try (ObjectStore store = again.open(root)) {
      store.put("a/b/2", bytes(10, 10));
      store.put("a/b/3", bytes(11, 10));
      assertThat(again.forced())
          .containsExactly(
              root.getParent(), root.resolve("a"), root.resolve("a/b"), root.resolve("a/b"));
    }
  }

  @Test
  void aFolderEndsWithItsLastFileAndIsForcedAgainWhenItIsMadeAgain() throws Exception {
    FaultyFolders disk = new FaultyFolders("none");
    Path root = folder.resolve("ending");
    try (ObjectStore store = disk.open(root)) {
      store.put("a/b/c/1", bytes(1, 10));
      store.put("a/b/c/2", bytes(2, 10));
      store.delete("a/b/c/1");
      assertThat(root.resolve("a/b/c")).isDirectoryContaining("glob:**2");

      store.delete("a/b/c/2");
      assertThat(root.resolve("a")).as("it is used all the time").isEmptyDirectory();

      store.delete("a/b/c/2");
      disk.forced().clear();
      store.put("a/b/c/3", bytes(3, 10));
      assertThat(disk.forced())
          .containsExactly(root.resolve("a"), root.resolve("a/b"), root.resolve("a/b/c"));
      store.put("top", bytes(4, 10));
      store.delete("top");
      assertThat(store.list("")).extracting(StoredObject::key).containsExactly("a/b/c/3");
    }
  }

  @Test
  void anObjectIsMadeInAFolderThatAnotherProcessDeletesMeanwhile() throws Exception {
    FaultyFolders disk = new FaultyFolders("none");
    Path root = folder.resolve("meanwhile");
    try (ObjectStore store = disk.open(root);
        ObjectStore other = FolderStore.open(root)) {
      store.put("a/b/1", bytes(1, 10));
      disk.forced().clear();
      disk.whenLinked(() -> other.delete("a/b/1"));

      store.put("a/b/2", bytes(2, 10));

      assertThat(disk.forced()).containsExactly(root.resolve("a"), root.resolve("a/b"));
      assertThat(other.list("")).extracting(StoredObject::key).containsExactly("a/b/2");
    }
  }

  /** A process that makes a folder again may not have forced its name yet. */
  @Test
  void theNameOfAFolderThatOthersMakeAgainMeanwhileIsForced() throws Exception {
    FaultyFolders disk = new FaultyFolders("none");
    Path root = folder.resolve("again");
    try (ObjectStore store = disk.open(root)) {
      store.put("a/b/1", bytes(1, 10));
      disk.forced().clear();
      disk.whenLinked(
          () -> {
            store.delete("a/b/1");
            Files.createDirectory(root.resolve("a/b"));
          });

      store.put("a/b/2", bytes(2, 10));

      assertThat(disk.forced()).contains(root.resolve("a"), root.resolve("a/b"));
      disk.forced().clear();
      store.put("a/b/3", bytes(3, 10));
      assertThat(disk.forced()).containsExactly(root.resolve("a/b"));
    }
  }

  @Test
  void aFolderThatCouldNotBeForcedAndIsGoneKeepsNobodyFromReading() throws Exception {
    FaultyFolders disk = new FaultyFolders("b");
    try (ObjectStore store = disk.open(folder.resolve("gone"))) {
      store.put("a/1", bytes(1, 10));
      disk.fail(1);
      assertThatThrownBy(() -> store.put("a/b/2", bytes(2, 10)))
          .isInstanceOf(DurabilityUnknownException.class);

      store.delete("a/b/2");

      assertThat(store.list("")).extracting(StoredObject::key).containsExactly("a/1");
    }
  }

  @Test
  void processesThatCreateAndDeleteInTheSameFolderDoNotHinderEachOther() throws Exception {
    Path root = folder.resolve("busy");
    int objects = 100;
    List<CompletableFuture<Void>> processes = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      String name = "a/b/c/" + number + "-";
      processes.add(
          CompletableFuture.runAsync(
              () -> {
                try (ObjectStore store = FolderStore.open(root)) {
                  for (int i = 0; i < objects; i++) {
                    store.put(name + i, bytes(i, 10));
                    assertThat(store.size(name + i)).isEqualTo(10);
                    store.delete(name + i);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }));
    }
    processes.forEach(CompletableFuture::join);
    assertThat(root.resolve("a")).isEmptyDirectory();
  }

  /** An unmounted disk leaves an empty folder, or none. */
  @Test
  void knowsItsFolderFromAnother() throws Exception {
    Path root = folder.resolve("kept");
    try (FolderStore store = FolderStore.open(root)) {
      store.put("log/1", bytes(1, 10));
      Path moved = Files.move(root, folder.resolve("moved"));
      assertThatThrownBy(() -> store.put("log/2", bytes(2, 10)))
          .isInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("the folder of the store is gone");
      assertThat(root).doesNotExist();
      assertFails(
          () -> store.list("log/"), ObjectStoreException.class, "the folder of the store is gone");
      Files.createDirectory(root);
      assertThatThrownBy(() -> store.put("log/2", bytes(2, 10)))
          .isInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("another one since it was opened");
      assertFails(
          () -> store.list("log/"), ObjectStoreException.class, "another one since it was opened");
      assertThat(root).isEmptyDirectory();
      Files.delete(root);
      Files.move(moved, root);
      store.put("log/2", bytes(2, 10));
    }
  }

  @Test
  void leavesAFolderAsItIsThatIsOnlyRead() throws Exception {
    Path read = Files.createDirectory(folder.resolve("read"));
    try (ObjectStore store = FolderStore.open(read)) {
      assertThat(store.list("")).isEmpty();
      assertThat(store.deleteUnfinished(key -> true, Duration.ZERO)).isZero();
    }
    assertThat(read).isEmptyDirectory();
  }

  @Test
  void listsWhatStaysWhileOthersAreDeleted() throws Exception {
    store().put("a", bytes(5, 10));
    Path going = Files.createDirectory(folder.resolve("store/going"));
    store().put("z", bytes(6, 10));
    for (int i = 0; i < 1_000; i++) {
      Files.createFile(going.resolve("object-" + i));
    }
    CompletableFuture<Void> deleted =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                assertThat(going.resolve("object-" + i).toFile().delete()).isTrue();
              }
            });
    do {
      assertThat(store().list("")).extracting(StoredObject::key).contains("a", "z");
    } while (!deleted.isDone());
    deleted.join();
  }

  @Test
  void saysWhyAFolderCannotBeUsed() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    assertFails(() -> ObjectStores.open("fs:" + file), IOException.class, file.toString());
    assertThatThrownBy(() -> ObjectStores.open("ftp:x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected fs:FOLDER or s3:");
  }

  /** A file on a disk with a limited capacity, or one on a disk that cannot keep its bytes. */
  private static final class BadDisk extends FolderUploadTest.WatchedFile {
    private final boolean keeps;
    private final AtomicLong written = new AtomicLong();

    BadDisk(Path path, boolean keeps) throws IOException {
      super(path);
      this.keeps = keeps;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      requireSpace(bytes);
      super.write(bytes, offset);
    }

    @Override
    public boolean writeDirect(ByteBuffer bytes, long offset) throws IOException {
      requireSpace(bytes);
      return super.writeDirect(bytes, offset);
    }

    private void requireSpace(ByteBuffer bytes) throws IOException {
      if (written.addAndGet(bytes.remaining()) > FULL_BYTES) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void force() throws IOException {
      if (!keeps) {
        throw new IOException("Input/output error");
      }
      super.force();
    }
  }
}
