package io.drayage.transport.netty;

/**
 * The states of a shipment on the transactor's side, and the transition of each event. An event
 * without an entry in the table has no effect.
 *
 * <pre>
 *            | ACCEPTED  HELD      COMMITTED  FAILED  FAULT  GONE
 *  ----------+----------------------------------------------------
 *  OPENING   | BEGIN                          FAIL    END    DROP
 *  RECEIVING |           HOLD                 FAIL    END    DROP
 *  RECEIVED  |                     COMMIT     FAIL    END    AWAIT
 *  OVER      |           KEEP_SEAL REMEMBER
 * </pre>
 */
enum ServerShipmentState {
  /** The request waits for room, or for the answer of the acceptor. */
  OPENING,
  /** The handler receives frames, maybe over several sets of connections, one after another. */
  RECEIVING,
  /** The whole cargo is here, and its commit decides. */
  RECEIVED,
  /** None of the cargo is held, but a commit that began may still be answered. */
  OVER;

  /** An event of a shipment. */
  enum Event {
    /** There is room, and the acceptor has accepted the request. */
    ACCEPTED,
    /** The handler has the whole cargo. */
    HELD,
    /** The handler has committed it. */
    COMMITTED,
    /** The handler has failed the shipment, or there will be no handler. */
    FAILED,
    /** This side ends it: a protocol violation, a stalled worker, or the end of the server. */
    FAULT,
    /** The worker has cancelled the shipment, or has not come back in time. */
    GONE
  }

  /** The reaction to an event. */
  enum Transition {
    NONE,
    /** Changes to RECEIVING: answers ACCEPT. */
    BEGIN,
    /** Changes to RECEIVED: answers HELD, and refuses more frames. */
    HOLD,
    /** Changes to OVER: answers COMMITTED, now and when the worker asks later. */
    COMMIT,
    /** Changes to OVER: answers FAILED, now and when the worker asks later. */
    FAIL,
    /** Changes to OVER: notifies the handler, which knows the outcome; answers FAILED with it. */
    END,
    /** Changes to OVER: notifies the handler only. */
    DROP,
    /** Drops the connections and waits for the commit. The worker may ask for its answer. */
    AWAIT,
    /** Keeps the state; the commit goes on. */
    KEEP_SEAL,
    /** Keeps the state; answers COMMITTED when the worker asks. */
    REMEMBER
  }

  Transition on(Event event) {
    return switch (this) {
      case OPENING ->
          switch (event) {
            case ACCEPTED -> Transition.BEGIN;
            case HELD, COMMITTED -> Transition.NONE;
            case FAILED -> Transition.FAIL;
            case FAULT -> Transition.END;
            case GONE -> Transition.DROP;
          };
      case RECEIVING ->
          switch (event) {
            case HELD -> Transition.HOLD;
            case ACCEPTED, COMMITTED -> Transition.NONE;
            case FAILED -> Transition.FAIL;
            case FAULT -> Transition.END;
            case GONE -> Transition.DROP;
          };
      case RECEIVED ->
          switch (event) {
            case COMMITTED -> Transition.COMMIT;
            case ACCEPTED, HELD -> Transition.NONE;
            case FAILED -> Transition.FAIL;
            case FAULT -> Transition.END;
            case GONE -> Transition.AWAIT;
          };
      case OVER ->
          switch (event) {
            case HELD -> Transition.KEEP_SEAL;
            case COMMITTED -> Transition.REMEMBER;
            case ACCEPTED, FAILED, FAULT, GONE -> Transition.NONE;
          };
    };
  }
}
