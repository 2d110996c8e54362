package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoredBytesTest {
  private static final int BYTES = ObjectDigest.BLOCK_BYTES + 1000;

  @TempDir private Path folder;
  @AutoClose private ObjectStore store;

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder);
  }

  private static ByteBuffer content() {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(1).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private ObjectDigest upload() throws Exception {
    try (DigestingUpload upload = new DigestingUpload(store.begin("object"))) {
      ByteBuffer content = content();
      upload.write(content.slice(0, 77));
      upload.write(content.slice(77, BYTES - 77));
      return upload.complete();
    }
  }

  private void flipByte(long at) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("object").toFile(), "rw")) {
      file.seek(at);
      int value = file.read();
      file.seek(at);
      file.write(value ^ 1);
    }
  }

  @Test
  void readsBlocksThatMatch() throws Exception {
    ObjectDigest digest = upload();
    assertThat(digest.blockCount()).isEqualTo(2);
    assertThat(digest.bytes()).isEqualTo(BYTES);

    StoredBytes object = new StoredBytes("object", digest);
    ByteBuffer block = ByteBuffer.allocateDirect(ObjectDigest.BLOCK_BYTES);
    object.readBlock(store, 1, block);
    assertThat(block).isEqualTo(content().slice(ObjectDigest.BLOCK_BYTES, 1000));
    object.verify(store);
  }

  @Test
  void namesTheBlockThatIsCorrupt() throws Exception {
    ObjectDigest digest = upload();
    flipByte(ObjectDigest.BLOCK_BYTES + 5);

    StoredBytes object = new StoredBytes("object", digest);
    ByteBuffer block = ByteBuffer.allocate(ObjectDigest.BLOCK_BYTES);
    object.readBlock(store, 0, block);
    assertThatThrownBy(() -> object.readBlock(store, 1, block.clear()))
        .isInstanceOf(ObjectCorruptException.class)
        .hasMessageContaining("object: corrupt: bytes 8,388,608 to 8,389,607 have checksum");
    assertThatThrownBy(() -> object.verify(store)).isInstanceOf(ObjectCorruptException.class);
  }

  @Test
  void namesAnObjectOfAnotherLength() throws Exception {
    ObjectDigest digest = upload();
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("object").toFile(), "rw")) {
      file.setLength(BYTES - 1);
    }
    assertThatThrownBy(() -> new StoredBytes("object", digest).verify(store))
        .isInstanceOf(ObjectCorruptException.class)
        .hasMessageContaining("it has 8,389,607 bytes instead of 8,389,608");
  }

  @Test
  void digestDoesNotDependOnThePieces() throws Exception {
    ObjectDigest.Builder whole = new ObjectDigest.Builder();
    whole.add(content());
    ObjectDigest.Builder pieces = new ObjectDigest.Builder();
    for (ByteBuffer content = content(); content.hasRemaining(); ) {
      int count = Math.min(content.remaining(), 1_000_003);
      pieces.add(content.slice(content.position(), count));
      content.position(content.position() + count);
    }
    assertThat(pieces.build()).isEqualTo(whole.build());
    ObjectDigest.Builder known = new ObjectDigest.Builder();
    for (ByteBuffer content = content(); content.hasRemaining(); ) {
      int count = Math.min(content.remaining(), 1_000_003);
      ByteBuffer piece = content.slice(content.position(), count);
      known.add(piece, ObjectDigest.checksum(piece));
      content.position(content.position() + count);
    }
    ObjectDigest.Builder again = new ObjectDigest.Builder();
    again.add(content(), ObjectDigest.checksum(content()));
    assertThat(known.build()).isEqualTo(again.build());
    assertThat(new ObjectDigest.Builder().build()).isEqualTo(new ObjectDigest(0));
  }
}
