package io.drayage.fuzz;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ReceiverUse;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The readers of bytes of strangers. A reader refuses bytes with the documented exception, or
 * accepts them. Accepted data stays the same when it is written and read again.
 */
enum StrangerBytes {
  FRAME_HEADER {
    @Override
    List<byte[]> seeds() throws IOException {
      return frames().stream().map(StrangerBytes::bytes).toList();
    }

    @Override
    void read(ByteBuffer input) throws IOException {
      if (input.remaining() >= FrameHeader.BYTES) {
        int payloadBytes = FrameHeader.payloadBytes(input, 0);
        require(payloadBytes <= FrameType.SEGMENT.maxPayloadBytes(), "a payload has a limit");
        if (input.remaining() == FrameHeader.BYTES + payloadBytes) {
          FrameHeader.verify(input);
        }
      }
    }
  },
  MANIFEST {
    @Override
    List<byte[]> seeds() throws IOException {
      return List.of(payload(frames().get(0)));
    }

    @Override
    void read(ByteBuffer input) throws IOException {
      Manifest manifest = ManifestCodec.ofPayload(input, MAX_BYTES);
      ByteBuffer written = ByteBuffer.wrap(payload(ManifestCodec.toFrame(manifest, 0)));
      Manifest again = ManifestCodec.ofPayload(written.order(ByteOrder.LITTLE_ENDIAN), MAX_BYTES);
      require(again.segments().size() == manifest.segments().size(), "as many segments");
      require(again.rawBytes() == manifest.rawBytes(), "as many raw bytes");
    }
  },
  OPEN {
    @Override
    List<byte[]> seeds() {
      return List.of(
          payload(CargoBytes.headerOf(CARGO).toFrame(new OpenRequest(3, 4_096, 60_000))));
    }

    @Override
    void read(ByteBuffer input) throws IOException {
      ShipmentHeader header = ShipmentHeader.ofPayload(input);
      ByteBuffer written = ByteBuffer.wrap(payload(header.toFrame()));
      require(
          ShipmentHeader.ofPayload(written.order(ByteOrder.LITTLE_ENDIAN)).equals(header),
          "the same header");
    }
  },
  JOIN {
    @Override
    List<byte[]> seeds() {
      return List.of(payload(new Join(new Token(1, 2), Join.Purpose.RESUME).toFrame(1)));
    }

    @Override
    void read(ByteBuffer input) throws IOException {
      byte[] before = bytes(input);
      byte[] again = payload(Join.ofPayload(input).toFrame(1));
      require(ByteBuffer.wrap(before).equals(ByteBuffer.wrap(again)), "the same bytes");
    }
  },
  SEAL {
    @Override
    List<byte[]> seeds() {
      return List.of(payload(new Seal(7, 8).toFrame(FrameType.SEAL, 1)));
    }

    @Override
    void read(ByteBuffer input) throws IOException {
      byte[] before = bytes(input);
      byte[] again = payload(Seal.ofPayload(input).toFrame(FrameType.SEAL, 1));
      require(ByteBuffer.wrap(before).equals(ByteBuffer.wrap(again)), "the same bytes");
    }
  },
  CARGO_FILE {
    @Override
    List<byte[]> seeds() throws IOException {
      return List.of(CargoBytes.of(CARGO));
    }

    @Override
    void read(ByteBuffer input) throws IOException {
      byte[] file = bytes(input);
      ChangeCargo cargo = CargoBytes.frames().read(new ByteArrayInputStream(file), MAX_BYTES);
      byte[] written = CargoBytes.of(cargo);
      ChangeCargo again = CargoBytes.frames().read(new ByteArrayInputStream(written), MAX_BYTES);
      require(CargoDigest.of(again) == CargoDigest.of(cargo), "the same cargo");
    }
  },
  /**
   * Frames in any order, cut, changed, or twice. Five bytes of the input choose each frame, which
   * then gets a right checksum. In any case every lease is released, the memory is free, and the
   * next cargo is received.
   */
  SHIPMENT {
    @Override
    List<byte[]> seeds() throws IOException {
      byte[] inOrder = new byte[STEP_BYTES * frames().size()];
      for (int i = 0; i < frames().size(); i++) {
        inOrder[STEP_BYTES * i] = (byte) i;
      }
      return List.of(inOrder);
    }

    @Override
    void read(ByteBuffer input) throws IOException {
      List<ByteBuffer> frames = frames();
      List<ByteBuffer> sent = new ArrayList<>();
      while (input.remaining() >= STEP_BYTES && sent.size() < MAX_STEPS) {
        ByteBuffer frame = frames.get((input.get() & 0xFF) % frames.size());
        sent.add(changed(frame, input.get() & 3, input.getShort() & 0xFFFF, input.get()));
      }
      deliver(sent);
    }
  };

  private static final ChangeCargo CARGO = RandomCargo.of(1, 60);
  private static final long MAX_BYTES = 1 << 20;
  private static final int STEP_BYTES = 5;
  private static final int MAX_STEPS = 64;
  private static final long DEADLINE_S = 60;

  /** Inputs to start from. */
  abstract List<byte[]> seeds() throws IOException;

  /**
   * Reads an input.
   *
   * @throws IOException if the input is refused
   */
  abstract void read(ByteBuffer input) throws IOException;

  /** Checks that an input is refused or accepted, and throws everything else. */
  void accept(byte[] input) {
    try {
      read(ByteBuffer.wrap(input.clone()).order(ByteOrder.LITTLE_ENDIAN));
    } catch (IOException e) {
      require(e.getMessage() != null && !e.getMessage().isBlank(), "a refusal has a reason");
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("broken: " + what);
    }
  }

  private static List<ByteBuffer> frames() {
    try {
      return CargoBytes.framesOf(CARGO);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] payload(ByteBuffer frame) {
    return bytes(frame.duplicate().position(FrameHeader.BYTES));
  }

  /** Kind 0 leaves the payload, 1 changes a byte, 2 cuts it, 3 overwrites four bytes. */
  private static ByteBuffer changed(ByteBuffer frame, int kind, int place, byte value) {
    int payloadBytes = frame.remaining() - FrameHeader.BYTES;
    int at = FrameHeader.BYTES + (payloadBytes == 0 ? 0 : place % payloadBytes);
    if (kind == 1 && at < frame.limit()) {
      frame.put(at, value);
    } else if (kind == 2) {
      frame.limit(at);
    } else if (kind == 3 && at + Integer.BYTES <= frame.limit()) {
      frame.putInt(at, value);
    }
    return WireFrames.mended(frame);
  }

  private static void deliver(List<ByteBuffer> sent) throws ShipmentException {
    AtomicInteger open = new AtomicInteger();
    ReceiverLimits limits = new ReceiverLimits(MAX_BYTES, MAX_BYTES, 2);
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, limits, 1)) {
      ShipmentHandler handler =
          receiver.accept(CargoBytes.headerOf(CARGO), new RecordingReplies(0));
      WireFrames.deliver(handler, sent, open);
      handler.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
      RecordingReplies replies = new RecordingReplies(0);
      WireFrames.deliver(receiver.accept(CargoBytes.headerOf(CARGO), replies), frames(), open);
      require(replies.whenCommitted().get(DEADLINE_S, TimeUnit.SECONDS) == 1, "a commit");
      Waiting.await(() -> open.get() == 0 && ReceiverUse.receivingBytes(receiver) == 0);
    } catch (ShipmentException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the next cargo was not received", e);
    }
  }
}
