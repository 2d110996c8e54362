package io.drayage.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderStoreTest extends ObjectStoreBattery {
  private static final int FULL_BYTES = 1_000_000;

  @TempDir private Path folder;

  @Override
  protected ObjectStore open() throws Exception {
    return ObjectStores.open("fs:" + folder.resolve("store"));
  }

  @Test
  void anotherOpensWhatOneHasStored() throws Exception {
    store().put("shared", bytes(1, 100));
    try (ObjectStore other = open()) {
      ByteBuffer target = ByteBuffer.allocate(100);
      other.read("shared", 0, target);
      assertThat(target.flip()).isEqualTo(bytes(1, 100));
    }
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
  void anObjectWhoseNameCannotBeForcedIsNotReadUntilItCan() throws Exception {
    FaultyFolders disk = new FaultyFolders("log");
    try (ObjectStore store = disk.open(folder.resolve("unforced"))) {
      store.put("log/1", bytes(7, 10));
      disk.fail(4);
      assertThatThrownBy(() -> store.put("log/2", bytes(8, 10)))
          .isInstanceOf(DurabilityUnknownException.class)
          .hasMessageContaining("log/2: it was created, but whether it survives a crash is unknown")
          .hasMessageContaining("Input/output error");
      assertThatThrownBy(() -> store.size("log/2"))
          .isInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("log/2: Input/output error");
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
    assertThatThrownBy(() -> ObjectStores.open("fs:" + file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> ObjectStores.open("ftp:x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected fs:FOLDER or s3:");
  }

  /** A file on a disk with a limited capacity, or one that takes bytes and cannot keep them. */
  private static final class BadDisk implements UploadFile {
    private final UploadFile file;
    private final boolean keeps;
    private final AtomicLong written = new AtomicLong();

    BadDisk(Path path, boolean keeps) throws IOException {
      this.file = UploadFile.CHANNELS.open(path);
      this.keeps = keeps;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      requireSpace(bytes);
      file.write(bytes, offset);
    }

    @Override
    public boolean writeDirect(ByteBuffer bytes, long offset) throws IOException {
      requireSpace(bytes);
      return file.writeDirect(bytes, offset);
    }

    private void requireSpace(ByteBuffer bytes) throws IOException {
      if (written.addAndGet(bytes.remaining()) > FULL_BYTES) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void truncate(long bytes) throws IOException {
      file.truncate(bytes);
    }

    @Override
    public void force() throws IOException {
      if (!keeps) {
        throw new IOException("Input/output error");
      }
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
